/** One `name=value`; the value without its quotation marks, null where there is no `=`. */
export type Pair = { readonly name: string; readonly value: string | null }

// A value is a quoted text with \ before what is to be taken as it is (RFC 9110 5.6.4), or goes up to the next comma.
const pair =
  /\s*([^=,;"]*?)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^,;"]*?))\s*)?((?:;(?:"(?:[^"\\]|\\.)*"|[^,"])*)?)(,|$)/y

/**
 * Reads `delay=200, message="later, please"`, as the command line and `Prefer` (RFC 7240 2) have it; parameters after
 * a `;` are passed over. Null: it cannot be read.
 */
export const readPairs = (text: string): readonly Pair[] | null => {
  const pairs: Pair[] = []
  let at = 0
  for (;;) {
    pair.lastIndex = at
    const match = pair.exec(text)
    if (match === null) return null
    const [whole, name = '', quoted, plain, , end] = match
    if (name !== '') pairs.push({ name, value: quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null })
    else if (quoted !== undefined || plain !== undefined) return null
    if (end === '') return pairs
    at += whole.length
  }
}
