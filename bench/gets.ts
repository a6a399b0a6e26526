/**
 * Asks the mock of every OpenAPI document in a folder for each of its GETs, stateless and stateful: `npm run bench:gets -- FOLDER`. Exit
 * code 1 if an answer breaks its document, is a 5xx, or takes more than a second.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Asked } from './ask.ts'
import { runNode } from './child.ts'
import { documentsIn, namedFolder } from './documents.ts'
import { table } from './page.ts'

/** Of CPU time, for one answer. */
const maxMs = 1000
/** Of one process, in milliseconds. */
const timeout = 180_000

const folder = namedFolder('bench:gets')
const asker = fileURLToPath(new URL('./ask.ts', import.meta.url))

type Row = { readonly cells: readonly string[]; readonly problems: readonly string[] }

const rowOf = async (document: string, flags: readonly string[]): Promise<Row> => {
  const { code, stdout, stderr } = await runNode([asker, join(folder, document), ...flags], { timeout })
  const name = [document, ...flags].join(' ')
  if (code !== 0) {
    const isLoaded = !stderr.includes('DocumentError')
    const reason = /Error: *(.*)/.exec(stderr)?.[1] ?? `no end in ${timeout / 1000} s`
    return {
      cells: [name, '', '', '', isLoaded ? reason : 'not loaded'],
      problems: isLoaded ? [reason] : [],
    }
  }
  const asked: readonly Asked[] = JSON.parse(stdout)
  const answered = asked.filter(({ status }) => status !== null)
  const slowest = Math.max(0, ...answered.map(({ ms }) => ms))
  const problems = answered.flatMap(problemsOf)
  return {
    cells: [
      name,
      `${answered.length}/${asked.length}`,
      String(answered.filter(({ status }) => Number(status) < 300).length),
      slowest.toFixed(0),
      problems.join('; '),
    ],
    problems,
  }
}

const problemsOf = ({ operation, status, violations, ms }: Asked): readonly string[] => [
  ...violations,
  ...(Number(status) >= 500 ? [`${operation}: ${status}`] : []),
  ...(ms > maxMs ? [`${operation}: ${ms.toFixed(0)} ms`] : []),
]

const rows: Row[] = []
for (const document of documentsIn(folder))
  for (const flags of [[], ['--stateful']]) {
    const row = await rowOf(document, flags)
    rows.push(row)
    process.stderr.write(`${row.cells.join('  ')}\n`)
  }

const head = ['document', 'GETs answered', 'with success', 'slowest, ms of CPU', 'problems']
process.stdout.write(
  `${table(
    head,
    rows.map(({ cells }) => cells),
  )}\n`,
)
process.exitCode = rows.some(({ problems }) => problems.length > 0) ? 1 : 0
