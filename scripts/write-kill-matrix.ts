import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isWhole, killSummary, killTable, type Row, unfound } from '../cli/handlers/selftest/kill-matrix.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Judged = {
  readonly title: string
  /** Arguments of the command that name the document. */
  readonly spec: readonly string[]
}

const plantStore: Judged = { title: 'The plant store', spec: [] }

/** The documents whose obligations are broken in turn. */
export const judged: readonly Judged[] = [
  plantStore,
  ...[
    ['Payments', 'payments.openapi.yaml'],
    ['Library', 'library.openapi.yaml'],
    ['Orders', 'orders/orders.openapi.json'],
  ].map(([title = '', file]) => ({ title, spec: ['--spec', `tests/documents/${file}`] })),
]

/** What the self-test says of a document, or of some of its obligations. */
export const selftest = ({ spec }: Judged, only: readonly string[] = []): readonly Row[] => {
  const args = ['cli/main.ts', 'selftest', ...spec, ...only.flatMap(id => ['--only', id]), '--format', 'json']
  try {
    return JSON.parse(run(args))
  } catch (error) {
    // It leaves with 1 where the matrix is not whole, and prints it all the same.
    const { status, stdout } = error as { readonly status?: number; readonly stdout?: string }
    if (status !== 1 || stdout === undefined) throw error
    return JSON.parse(stdout)
  }
}

const run = (args: readonly string[]): string =>
  execFileSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** `299 obligations, abcdef012345`: by this a list of ids is known again. */
export const fingerprint = (ids: readonly string[]): string =>
  `${ids.length} obligations, ${createHash('sha256').update(ids.join()).digest('hex').slice(0, 12)}`

const section = (document: Judged): string => {
  const rows = selftest(document)
  const table = killTable(document === plantStore ? rows : unfound(rows))
  return [
    `## ${document.title}`,
    '',
    `${isWhole(rows) ? 'Whole' : 'Not whole'}: ${killSummary(rows)}. (${fingerprint(rows.map(({ id }) => id))})`,
    '',
    ...table,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    `${root}docs/kill-matrix.md`,
    `# Kill matrix

Written by \`npm run kill-matrix\`; do not edit. The mock breaks each obligation of a contract, one at a time, and the suite
judges it (\`plantstore selftest\`). *Found*: by its own name, and by no other. *Not to be broken*, *untested*: why
is told. A matrix with anything else is not whole. Of all documents but the first only what was not plainly found is listed.

${judged.map(section).join('\n')}`,
  )
