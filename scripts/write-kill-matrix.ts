import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isWhole, killMarkdown, type Row } from '../cli/handlers/selftest/kill-matrix.ts'
import { killMatrix, killMatrixPage } from './kill-matrix-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export type Tested = {
  readonly title: string
  /** Arguments of the command that name the document. */
  readonly spec: readonly string[]
  /** The obligations that are broken. Default: all. */
  readonly only?: string
}

/** The documents whose obligations are broken one by one. */
export const tested: readonly Tested[] = [
  { title: 'The plant store', spec: [] },
  ...[
    ['Payments', 'payments.openapi.yaml'],
    ['Library', 'library.openapi.yaml'],
    ['Orders', 'orders/orders.openapi.json'],
  ].map(([title = '', file]) => ({ title, spec: ['--spec', `tests/documents/${file}`] })),
  ...['plants', 'shelves'].map(name => ({
    title: `What is kept: ${name}`,
    spec: ['--spec', `tests/state/${name}.openapi.yaml`],
    only: '*/state/*',
  })),
  {
    title: 'Two users: plants',
    spec: ['--spec', 'tests/state/plants.openapi.yaml'],
    only: '*/ownership/*',
  },
  ...['subscriptions', 'webhooks'].map(name => ({
    title: `What is sent to clients: ${name}`,
    spec: ['--spec', `tests/callbacks/${name}.openapi.yaml`],
    only: '*/callback/*',
  })),
  ...['idempotency', 'conditional'].map(family => ({
    title: `Keys and conditions: orders, ${family}`,
    spec: ['--spec', 'tests/idempotency/orders.openapi.yaml'],
    only: `*/${family}/*`,
  })),
]

const selftest = ({ spec, only }: Tested): readonly Row[] => {
  const chosen = only === undefined ? [] : ['--only', only]
  const args = ['cli/main.js', 'selftest', ...spec, ...chosen, '--format', 'json']
  try {
    return JSON.parse(run(args))
  } catch (error) {
    // It exits with 1 if a mutant was not found, and prints the matrix all the same.
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
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** `299 obligations, abcdef012345`: identifies a list of ids. */
export const fingerprint = (ids: readonly string[]): string =>
  `${ids.length} obligations, ${createHash('sha256').update(ids.join()).digest('hex').slice(0, 12)}`

const section = (document: Tested): string => {
  const rows = selftest(document)
  return [
    `## ${document.title}`,
    '',
    `${isWhole(rows) ? 'All found' : 'Not all found'} (${fingerprint(rows.map(({ id }) => id))}).`,
    '',
    killMarkdown(rows),
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = `# Kill matrix

Written by \`npm run kill-matrix\`; do not edit. docs/kill-matrix.md says how to read it, and has a sample.

${tested.map(section).join('\n')}`
  writeFileSync(killMatrix, text)
  writeFileSync(`${root}docs/kill-matrix.md`, killMatrixPage(text))
}
