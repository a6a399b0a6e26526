/** Patterns look outside strings: of a string they see its quotation marks only. */
export const withoutStrings = (text: string): string => replaceStrings(text, () => '""')

/** One that does not end stays as it is. */
const replaceStrings = (text: string, make: (string: string) => string): string =>
  text.replace(/"(?:[^"\\]|\\.)*("?)/gs, (string, end) => (end === '' ? string : make(string)))

/** Inserts before the last bracket of the valid text, where another member can go. */
export const before = (valid: string, insert: string): string =>
  valid.replace(/(?<!\s)\s*([}\]])\s*$/, `${insert}$1`)

/** Whether a value is an object or a list. */
export const isInBrackets = (valid: string): boolean => /^\s*[[{]/.test(valid)

const member = (valid: string, value: string): string =>
  before(
    valid,
    `${/^\s*[[{]\s*[}\]]\s*$/.test(valid) ? '' : ','}${/^\s*\[/.test(valid) ? '' : '"note":'}${value}`,
  )

/**
 * The text with a fault in a declared value of this type, or in an undeclared property or one item more: some servers reject any undeclared property,
 * and others skip what stands in it. `make`: the variants, from the digits of the number.
 */
export const inValue = (
  valid: string,
  pick: number,
  type: 'number' | 'string',
  make: (digits: string) => readonly string[],
): string => {
  const declared = make('1').length
  // There is nothing beside a value that is no object and no list.
  if (!isInBrackets(valid)) return make(/^\d+$/.test(valid) ? valid : '1')[pick % declared] ?? ''
  const index = pick % (2 * declared)
  if (index >= declared) return member(valid, make('1')[index - declared] ?? '')
  const variant = (digits: string): string => make(digits)[index] ?? ''
  const number = /([:[,]\s*)(\d+)(?=\s*[,}\]])/
  return type === 'number' && number.test(withoutStrings(valid))
    ? replaceOutside(valid, number, (_, head: string, digits: string) => head + variant(digits))
    : replaceText(valid, () => variant('1'))
}

export const textValue = /((?::|^\s*\[)\s*)"(?:[^"\\]|\\.)*"(?=\s*[,}\]])/s

/** Replaces the first string that is a value; in a body without one, adds a property. */
export const replaceText = (valid: string, make: () => string): string =>
  textValue.test(valid) ? valid.replace(textValue, (_, head: string) => head + make()) : member(valid, make())

/** Replaces the first match that is not inside a string. */
const replaceOutside = (
  text: string,
  pattern: RegExp,
  make: (found: string, ...groups: string[]) => string,
): string => {
  const strings: string[] = []
  const blank = replaceStrings(text, found => `"\u0001${strings.push(found) - 1}"`)
  return blank
    .replace(pattern, make)
    .replace(/"\u0001(\d+)"/g, (_, index: string) => strings[Number(index)] ?? '')
}
