import { fileURLToPath } from 'node:url'

/** The whole matrix, which `npm run kill-matrix` writes; tests compare parts of it with what breaking an obligation comes to today. */
export const killMatrix = fileURLToPath(new URL('../tests/golden/kill-matrix.md', import.meta.url))

const rowsOfDocument = 4

type Part = {
  readonly title: string
  readonly outcome: string
  readonly counts: string
  readonly rows: readonly string[]
}

const partOf = (section: string): Part => {
  const [title = '', , outcome = '', , counts = '', ...rest] = section.split('\n')
  return { title, outcome, counts, rows: rest.filter(line => line.startsWith('| `')) }
}

const sample = ({ title, rows }: Part): string =>
  rows.length === 0
    ? ''
    : `\n## ${title}\n\n| broken obligation | outcome | details |\n|---|---|---|\n${rows.slice(0, rowsOfDocument).join('\n')}\n`

/** The text of docs/kill-matrix.md: the sums of the whole matrix, and its first exceptions. */
export const killMatrixPage = (matrix: string): string => {
  const parts = matrix.split(/^## /m).slice(1).map(partOf)
  const sums = parts.map(
    ({ title, outcome, counts }) =>
      `| ${title} | ${outcome.replace(/\.$/, '')} | ${counts.replace(/\.$/, '')} |`,
  )
  return `# Kill matrix

The suite is tested by mutation. The mock breaks each obligation of a contract, one at a time, and the suite has to find it:

\`\`\`sh
plantstore selftest --spec openapi.yaml --format markdown
\`\`\`

| outcome | meaning |
|---|---|
| found | the suite reported this obligation and no other |
| found with others | it reported others as well |
| found by others | it reported others alone |
| missed | it reported nothing |
| unbreakable | the mock cannot break it in a way that a client could see |
| untested | the contract leaves no test case for it |

A server that does not keep data breaks several obligations of the family \`state\` at once, so each of these mutants is tested by its own alone.

\`npm run kill-matrix\` breaks the obligations of these documents, and writes all exceptions to \`tests/golden/kill-matrix.md\` and this page.

| document | result | mutants |
|---|---|---|
${sums.join('\n')}

The first exceptions of each document:
${parts.map(sample).join('')}`
}
