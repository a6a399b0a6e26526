/**
 * Short words that plain values carry, a different one for each case: an answer that carries another case's label is
 * not its own. Their form is unlikely to come about by accident.
 */
export const labelOf = (number: number, part: 'required' | 'optional' = 'required'): string =>
  `${part === 'required' ? 'q' : 'w'}${number.toString(36)}z9`

const form = /^[qw]([0-9a-z]+)z9$/

/** The number of the case that a label belongs to; null where the text is no label. */
export const numberOfLabel = (text: string): number | null => {
  const digits = form.exec(text)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 36)
}
