/** One `name=value`; the value without its quotation marks, null if there is no `=`. */
export type Preference = { readonly name: string; readonly value: string | null }

// A value is a quoted string with \ before characters to be taken literally (RFC 9110, 5.6.4), or all up to the next separator.
const preference = /([^=,;"]*)(?:=(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^,;"]*)))?([,;]|$)/y

/**
 * Reads `delay=200, message="later, please"; seed=a`. RFC 7240 puts commas between preferences and semicolons before
 * their parameters; here a parameter counts as a preference, so that either separator works. A number: the text cannot
 * be read from this index on.
 */
export const readPreferenceList = (text: string): readonly Preference[] | number => {
  const found: Preference[] = []
  for (let at = 0; ; ) {
    preference.lastIndex = at
    const match = preference.exec(text)
    if (match === null) return at
    const [whole, , quoted, , separator] = match
    const [name = '', plain] = [match[1]?.trim(), match[3]?.trim()]
    if (name !== '') found.push({ name, value: quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null })
    else if (quoted !== undefined || plain !== undefined) return at
    if (separator === '') return found
    at += whole.length
  }
}
