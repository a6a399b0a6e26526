/** Lets Schemathesis judge the mock with all its checks. Exit code 1 where it finds what is not known to be no fault. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, serveMock } from './child.ts'
import { machine, publish, table } from './page.ts'
import { findSchemathesis } from './schemathesis.ts'

const token = 'bench-token'
const examples = 200
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const contracts = [
  ['the plant store', '../spec/plant-store.openapi.yaml'],
  ['the library', '../tests/documents/library.openapi.yaml'],
] as const

/** What it reports of a lawful server, and why that is no fault. */
const known: Readonly<Record<string, string>> = {
  'Missing required header accepted':
    'the request without a token was refused, by the declared 400; Schemathesis wants a 401, which the document does not declare',
  'Unexpected response to a request without authentication':
    'the same: 401 or 403 is wanted where the document declares 400',
  'Schema-violating request accepted':
    'an empty header `X-Trace:` is read as an empty list, which its schema takes',
  'API accepts invalid authentication':
    'a wrong key was sent beside the right token, and the document takes either of them',
  'Deleted resource still available': 'the mock keeps no state: what is deleted is made up again',
}

type Found = { readonly title: string; readonly times: number }
type Judged = { readonly name: string; readonly cases: number; readonly found: readonly Found[] }

const folder = mkdtempSync(join(tmpdir(), 'plantstore-bench-'))

const judge = async (program: string, name: string, document: string): Promise<Judged> => {
  process.stderr.write(`${name}\n`)
  const server = await serveMock(path(document), ['--token', token])
  const flags = [
    '--checks',
    'all',
    '--max-examples',
    String(examples),
    '--seed',
    '1',
    '--continue-on-failure',
  ]
  const { stdout, stderr } = await run(
    program,
    [
      'run',
      path(document),
      ...['--url', server.url, '--header', `Authorization: Bearer ${token}`],
      ...[...flags, '--generation-database', 'none'],
    ],
    { cwd: folder, env: { NO_COLOR: '1' } },
  )
  const ended = await server.stop()
  const cases = /(\d+) generated/.exec(stdout.replaceAll(',', ''))?.[1]
  if (cases === undefined || ended !== 143) throw new Error(`Schemathesis says:\n${stdout}${stderr}`)
  const found = [...stdout.matchAll(/^ +❌ (?:ST\d+ )?(.+): (\d+)$/gm)].map(([, title = '', times]) => ({
    title,
    times: Number(times),
  }))
  return { name, cases: Number(cases), found }
}

const main = async (program: string): Promise<void> => {
  const judged: Judged[] = []
  for (const [name, document] of contracts) judged.push(await judge(program, name, document))
  const faults = judged.flatMap(({ found }) => found).filter(({ title }) => known[title] === undefined)
  if (faults.length > 0) process.exitCode = 1
  publish(
    'bench:schemathesis-client',
    [
      `\`npm run bench:schemathesis-client\` on ${machine()}; Schemathesis 4.32.5, all its checks, ${examples} examples, the right token given.`,
      '',
      table(
        ['', 'cases', 'reported', 'of them faults'],
        judged.map(({ name, cases, found }) => [
          name,
          cases.toLocaleString('en-US'),
          String(found.reduce((sum, { times }) => sum + times, 0)),
          String(
            found
              .filter(({ title }) => known[title] === undefined)
              .reduce((sum, { times }) => sum + times, 0),
          ),
        ]),
      ),
      '',
      faults.length > 0
        ? 'What was reported:'
        : 'No answer with a 5xx, an undeclared status or media type, or a body or header outside its schema. What was reported:',
      '',
      table(
        ['', 'report', 'why it is no fault'],
        judged.flatMap(({ name, found }) =>
          found.map(({ title, times }) => [name, `${title} (${times})`, known[title] ?? '**not known**']),
        ),
      ),
    ].join('\n'),
    'reliability.md',
  )
}

try {
  const found = findSchemathesis()
  if ('missing' in found) process.stderr.write(`left out: ${found.missing}\n`)
  else await main(found.program)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
