/**
 * A short word for the plain values of a case, different for each case: a response that carries the label of another case
 * belongs to that one. The form is unlikely to come about by accident.
 */
export const labelOf = (number: number, part: 'required' | 'optional' = 'required'): string =>
  `${part === 'required' ? 'q' : 'w'}${number.toString(36)}z9`

// No case has a number of more digits, but the random names of a server have: one in 30,000 begins and ends like a label.
const form = /^[qw](0|[1-9a-z][0-9a-z]{0,5})z9$/

/** The number of the case that a label belongs to; null if the text is not a label. */
export const numberOfLabel = (text: string): number | null => {
  const digits = form.exec(text)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}
