import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { actionText } from './action-inputs.ts'
import { configSchemaText } from './config-schema.ts'
import { pagesWithOutputs, withOutputs } from './doc-outputs.ts'
import { frameworksPage } from './frameworks-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of docs/obligations.md: the plant store's list as the command prints it. */
export const obligationsPage = (): string => {
  const table = execFileSync(
    process.execPath,
    ['cli/main.js', 'obligations', '--malformed-http', '--format', 'markdown'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return `# Obligations of the plant store

\`npm run docs\` writes this page from the contract; do not edit it. A failed MUST fails the run; a failed SHOULD is a
warning, or with \`--strict\` a failure; OBSERVE is recorded and never judged. An id is stable: the operation, then what the
requirement is about. Those under \`protocol/\` come from HTTP itself and are tested only with \`--malformed-http\`.
\`plantstore explain ID\` shows what is sent for one, and what a right and a wrong response to it look like.

${table}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(`${root}docs/obligations.md`, obligationsPage())
  writeFileSync(`${root}docs/frameworks.md`, frameworksPage())
  writeFileSync(`${root}cli/config/config.schema.json`, configSchemaText())
  writeFileSync(`${root}action.yml`, actionText(readFileSync(`${root}action.yml`, 'utf8')))
  for (const page of pagesWithOutputs) {
    const text = readFileSync(`${root}${page}`, 'utf8')
    writeFileSync(`${root}${page}`, await withOutputs(text))
  }
}
