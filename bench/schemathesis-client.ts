/** Runs all checks of Schemathesis against the mock. Exit code 1 if it reports anything that is not a known false alarm. */
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
  ['the plant store', '../spec/openapi/plant-store.openapi.yaml'],
  ['the library', '../tests/documents/library.openapi.yaml'],
] as const

/** What Schemathesis reports of a conformant server, and why that is a false alarm. */
const falseAlarms: Readonly<Record<string, string>> = {
  'Missing required header accepted':
    'the mock rejected the request without a token with the declared 400; Schemathesis expects a 401, which the document does not declare',
  'Unexpected response to a request without authentication':
    'Schemathesis expects 401 or 403, the document declares 400',
  'Schema-violating request accepted':
    'the empty header `X-Trace:` is an empty list, which its schema accepts',
  'API accepts invalid authentication':
    'the request had a wrong key but the right token, and the document accepts either',
  'Deleted resource still available': 'the mock keeps no state, so it makes up a deleted resource again',
}

type Report = { readonly title: string; readonly times: number }
type Outcome = { readonly name: string; readonly cases: number; readonly reports: readonly Report[] }

const folder = mkdtempSync(join(tmpdir(), 'plantstore-bench-'))

const check = async (program: string, name: string, document: string): Promise<Outcome> => {
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
  const exitCode = await server.stop()
  const cases = /(\d+) generated/.exec(stdout.replaceAll(',', ''))?.[1]
  if (cases === undefined || exitCode !== 143)
    throw new Error(`Schemathesis printed no summary, or the mock exited early:\n${stdout}${stderr}`)
  const reports = [...stdout.matchAll(/^ +❌ (?:ST\d+ )?(.+): (\d+)$/gm)].map(([, title = '', times]) => ({
    title,
    times: Number(times),
  }))
  return { name, cases: Number(cases), reports }
}

const main = async (program: string): Promise<void> => {
  const outcomes: Outcome[] = []
  for (const [name, document] of contracts) outcomes.push(await check(program, name, document))
  const faults = outcomes
    .flatMap(({ reports }) => reports)
    .filter(({ title }) => falseAlarms[title] === undefined)
  if (faults.length > 0) process.exitCode = 1
  publish(
    'bench:schemathesis-client',
    [
      `\`npm run bench:schemathesis-client\` on ${machine()}; Schemathesis 4.32.5, all checks, ${examples} examples, with the right token.`,
      '',
      table(
        ['', 'cases', 'reported', 'faults among them'],
        outcomes.map(({ name, cases, reports }) => [
          name,
          cases.toLocaleString('en-US'),
          String(reports.reduce((sum, { times }) => sum + times, 0)),
          String(
            reports
              .filter(({ title }) => falseAlarms[title] === undefined)
              .reduce((sum, { times }) => sum + times, 0),
          ),
        ]),
      ),
      '',
      faults.length > 0
        ? 'Reported:'
        : 'No response had a 5xx status, an undeclared status or media type, or a body or header that violates its schema. Reported:',
      '',
      table(
        ['', 'report', 'why it is a false alarm'],
        outcomes.flatMap(({ name, reports }) =>
          reports.map(({ title, times }) => [
            name,
            `${title} (${times})`,
            falseAlarms[title] ?? '**unknown: a fault**',
          ]),
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
