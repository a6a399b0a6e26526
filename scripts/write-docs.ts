import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { actionText } from './action-inputs.ts'
import { configSchemaText } from './config-schema.ts'
import { pagesWithOutputs, withOutputs } from './doc-outputs.ts'
import { frameworksPage } from './frameworks-page.ts'
import { killMatrix, killMatrixPage } from './kill-matrix-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** How many rows of each kind of requirement docs/obligations.md shows. */
const rowsOfKind = 3

/** `| \`createPlant/auth/absent\` | …` is of the kind `auth`, and a row about requests of that and the part of the request. */
const kindOf = (row: string): string => {
  const [, family = '', part = ''] = (row.split('`')[1] ?? '').split('/')
  return family === 'request' || family === 'response' ? `${family}/${part}` : family
}

/** The first rows of each kind. */
const sampleRows = (rows: readonly string[]): readonly string[] => {
  const kinds = Map.groupBy(rows, kindOf)
  return [...kinds.values()].flatMap(group => group.slice(0, rowsOfKind))
}

/** The text of docs/obligations.md: a sample of the plant store's list, as the command prints it. */
export const obligationsPage = (): string => {
  const args = ['obligations', '--malformed-http', '--format', 'markdown']
  const table = execFileSync(process.execPath, ['cli/main.js', ...args], { cwd: root, encoding: 'utf8' })
  const [head = '', rule = '', ...rows] = table.trimEnd().split('\n')
  const sample = sampleRows(rows)
  return `# Obligations

An obligation is one requirement that is tested. The list follows from the document alone:

\`\`\`sh
plantstore ${args.join(' ')} --spec openapi.yaml
\`\`\`

A failed MUST fails the run. A failed SHOULD is a warning, or a failure with \`--strict\`. OBSERVE is recorded and never judged. An id is
stable: the operation, then the subject of the requirement. Ids under \`protocol/\` come from HTTP itself and need \`--malformed-http\`.
Ids under \`ownership/\` need the token of a [second user](ownership.md), and \`--ownership\` lists them; ids under \`flow/\` need [workflows](flows.md). Ids under \`idempotency/\`
and \`conditional/\` come from declared [keys and conditions](idempotency.md).
\`plantstore explain ID\` shows what is sent for one, with a right and a wrong response.

The plant store has ${rows.length} obligations. \`npm run docs\` writes the first of each kind here, ${sample.length} in all:

${[head, rule, ...sample].join('\n')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(`${root}docs/obligations.md`, obligationsPage())
  writeFileSync(`${root}docs/frameworks.md`, frameworksPage())
  writeFileSync(`${root}docs/kill-matrix.md`, killMatrixPage(readFileSync(killMatrix, 'utf8')))
  writeFileSync(`${root}cli/config/config.schema.json`, configSchemaText())
  writeFileSync(`${root}action.yml`, actionText(readFileSync(`${root}action.yml`, 'utf8')))
  for (const page of pagesWithOutputs) {
    const text = readFileSync(`${root}${page}`, 'utf8')
    writeFileSync(`${root}${page}`, await withOutputs(text))
  }
}
