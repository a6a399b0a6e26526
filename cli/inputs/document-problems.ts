import { type Contract, partsNotTested, problemLine } from '../../spec/index.ts'
import { say } from '../process/terminal.ts'

/** The lines that are printed of each kind of problem. */
const mostShown = 5

/**
 * Prints what is wrong with the document of a contract on standard error, and what is not tested for it; `callbacks`: whether somebody listens
 * for them.
 */
export const sayProblems = (
  contract: Contract,
  sayLine: (line: string) => void = say,
  callbacks = false,
): void => {
  for (const line of problemLines(contract, callbacks)) sayLine(line)
}

const problemLines = (contract: Contract, callbacks: boolean): readonly string[] => {
  const { source, operations, leftOut, warnings, convertedFrom } = contract
  const notTested = partsNotTested(contract, callbacks)
  const all = operations.length + leftOut.length
  const reasons = leftOut.map(
    ({ method, path, problems: [first] }) =>
      `${method === '*' ? path : `${method} ${path}`}: ${first === undefined ? '' : problemLine(first)}`,
  )
  const total = leftOut.length + warnings.length
  return [
    ...(convertedFrom === null
      ? []
      : [
          `${source}: converted from ${convertedFrom} to OpenAPI ${String(contract.document.openapi).slice(0, 3)}`,
        ]),
    ...section(
      reasons,
      `${source}: ${counted(leftOut.length, 'operation')} of ${all} left out, because the document describes them in a way that cannot be used`,
    ),
    ...section(warnings.map(problemLine), `${source}: ${counted(warnings.length, 'warning')}`),
    ...section(
      notTested.map(problemLine),
      `${source}: ${counted(notTested.length, 'part')} of the document not tested`,
    ),
    ...(total > mostShown ? ['plantstore lint lists everything that is wrong with the document'] : []),
  ]
}

const section = (lines: readonly string[], title: string): readonly string[] =>
  lines.length === 0
    ? []
    : [
        `${title}:`,
        ...lines.slice(0, mostShown).map(line => `  ${line}`),
        ...(lines.length > mostShown ? [`  and ${lines.length - mostShown} more`] : []),
      ]

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`
