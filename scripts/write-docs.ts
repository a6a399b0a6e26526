import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { configSchemaText } from './config-schema.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The text of docs/obligations.md: the plant store's list as the command prints it. */
export const obligationsPage = (): string => {
  const table = execFileSync(
    process.execPath,
    ['cli/main.ts', 'obligations', '--wire', '--format', 'markdown'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return `# Obligations of the plant store

Written by \`npm run docs\` from the contract; do not edit. MUST counts; SHOULD is a warning, and counts with \`--strict\`;
OBSERVE is recorded and never judged. An id is the operation, then what the promise is about; ids are stable.
Those under \`wire/\` rest on HTTP alone, and are tested with \`--wire\` only.

${table}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(`${root}docs/obligations.md`, obligationsPage())
  writeFileSync(`${root}cli/config.schema.json`, configSchemaText())
}
