/**
 * Verifies the mock of every OpenAPI document in a folder against that document: `npm run bench:contracts -- FOLDER`. With `--stateful` the
 * mock keeps what requests create, and gets 300 cases; SHOULD requirements do not count.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ledgerBytes } from '../cli/inputs/ledger.ts'
import { type ProcessResult, runNode, serveMock } from './child.ts'
import { documentsIn, namedFolder } from './documents.ts'
import { machine, publish, table } from './page.ts'

type Row = {
  readonly document: string
  readonly result: string
  readonly tested: number
  readonly total: number
  readonly seconds: number
  readonly megabytes: number
  /** What failed, by the ids of obligations without their operations; the most frequent first. */
  readonly failed: readonly string[]
}

/** Of one run, in seconds. */
const limit = 180

const folder = resolve(namedFolder('bench:contracts'))

const cli = fileURLToPath(new URL('../cli/main.js', import.meta.url))

const token = 'right'
const isStateful = process.argv.includes('--stateful')

const verify = async (document: string): Promise<Row> => {
  const output = mkdtempSync(join(tmpdir(), 'contracts-'))
  // What cannot be served is not loaded by the suite either, which says why.
  const mock = isStateful
    ? await serveMock(document, ['--stateful', '--token', token]).catch(() => null)
    : null
  const target =
    mock === null ? ['embedded-mock'] : [mock.url, '--include', '*', '--cases', '300', '--allow-partial']
  const strictly = isStateful ? [] : ['--strict']
  const args = [...target, ...strictly, '--seed', '1', '--summary', 'json', '--no-config']
  try {
    const result = await runNode([cli, 'verify', ...args, '--spec', document, '--out', output], {
      env: { NO_COLOR: '1', ...(mock === null ? {} : { PLANTSTORE_TOKEN: token }) },
      timeout: limit * 1000,
    })
    return { document: relative(folder, document), ...measured(result), ...told(result, output) }
  } finally {
    await mock?.stop()
    rmSync(output, { recursive: true, force: true })
  }
}

const measured = ({ ms, peakMegabytes }: ProcessResult): Pick<Row, 'seconds' | 'megabytes'> => ({
  seconds: ms / 1000,
  megabytes: peakMegabytes ?? Number.NaN,
})

const told = (
  { code, stdout, stderr }: ProcessResult,
  output: string,
): Pick<Row, 'result' | 'tested' | 'total' | 'failed'> => {
  const line = stdout.split('\n').find(each => each.startsWith('{"format":"plantstore-summary"'))
  if (line === undefined) {
    const [reason = ''] = stderr.trim().split('\n')
    const said = reason.replace('plantstore: ', '').replaceAll(`${folder}/`, '')
    const result = code === null ? `no result in ${limit} s` : `exit ${code}: ${said}`
    return { result: result.slice(0, 160), tested: 0, total: 0, failed: [] }
  }
  const { verdict, must, should } = JSON.parse(line)
  return {
    result: verdict,
    tested: must.tested + should.tested,
    total: must.total + should.total,
    failed: failedIn(join(output, 'ledger.ndjson')),
  }
}

const failedIn = (ledger: string): readonly string[] => {
  const counts = new Map<string, number>()
  for (const line of Buffer.from(ledgerBytes(ledger)).toString().split('\n')) {
    if (!line.startsWith('{"type":"finding"')) continue
    const { obligation } = JSON.parse(line)
    const path = obligation.slice(
      obligation.search(/\/(?:request|response|auth|stability|unspecified|state)\b/) + 1,
    )
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return [...counts]
    .toSorted((left, right) => right[1] - left[1])
    .map(([path, count]) => `${count} × ${path}`)
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

const cell = (text: string): string => text.replaceAll('|', '\\|')

const rows: Row[] = []
for (const file of documentsIn(folder)) {
  const row = await verify(join(folder, file))
  rows.push(row)
  process.stderr.write(
    `${row.document}  ${row.result}  ${row.tested}/${row.total}  ${row.seconds.toFixed(1)} s  ${row.megabytes.toFixed(0)} MB  ${row.failed.slice(0, 4).join('  ')}\n`,
  )
}

const loaded = rows.filter(({ total }) => total > 0)
const conformant = loaded.filter(({ result }) => result === 'CONFORMANT')
const most = (pick: (row: Row) => number): string => Math.max(...rows.map(pick)).toFixed(0)
const slowest = 10
const leastSeconds =
  rows.map(({ seconds }) => seconds).toSorted((left, right) => right - left)[slowest - 1] ?? 0
const isShown = ({ result, seconds }: Row): boolean => result !== 'CONFORMANT' || seconds >= leastSeconds
publish(
  'bench:contracts',
  [
    `\`npm run bench:contracts -- FOLDER\` on ${machine()}, each run with default settings and \`--strict\`.`,
    '',
    `${rows.length} documents, ${loaded.length} loaded, ${conformant.length} conformant; the longest run took ${most(({ seconds }) => seconds)} s, the largest ${most(({ megabytes }) => megabytes)} MB.`,
    '',
    `Not conformant, or among the ${slowest} slowest; the command prints all of them.`,
    '',
    table(
      ['document', 'result', 'untested', 's', 'MB'],
      rows
        .filter(isShown)
        .map(({ document, result, tested, total, seconds, megabytes }) => [
          cell(document),
          cell(result),
          total === 0 ? '' : percent(1 - tested / total),
          seconds.toFixed(1),
          megabytes.toFixed(0),
        ]),
    ),
  ].join('\n'),
  'any-contract.md',
)
