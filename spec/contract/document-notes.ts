import type { Contract } from './contract.ts'

/** What a document describes and a run does not test: one line each. */
export const documentNotes = ({ leftOut, notTested, operations }: Contract): readonly string[] => {
  const all = operations.length + leftOut.length
  return [
    ...(leftOut.length === 0
      ? []
      : [
          `${leftOut.length} of ${all} operations are left out, because the document describes them in a way that cannot be used: ${shown(leftOut.map(({ method, path }) => (method === '*' ? path : `${method} ${path}`)))}`,
        ]),
    ...(notTested.length === 0
      ? []
      : [
          `the document also describes what is not tested: ${shown(notTested.map(({ message }) => message.replace(/ is not tested$/, '')))}`,
        ]),
  ]
}

/** The names that a line has. */
const mostShown = 5

export const shown = (names: readonly string[]): string =>
  names.length <= mostShown
    ? names.join(', ')
    : `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more`
