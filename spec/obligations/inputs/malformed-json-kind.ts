import { decoder, isUtf8, isUtf16 } from './broken-json.ts'
import { withoutStrings } from './json-text.ts'
import type { ShownInJson } from './shown-in-json.ts'

/** A way of breaking JSON: made from a valid text, and recognised again in the bytes of a request. */
export type MalformedJsonKind = {
  readonly name: string
  /** Completes «malformed JSON (…)»: `trailing comma`. */
  readonly fault: string
  /** `pick` is any non-negative integer; it chooses one of the variants. */
  readonly make: (valid: string, pick: number) => Uint8Array
  /** Whether bytes that are not JSON are broken in this way. */
  readonly is: (bytes: Uint8Array) => boolean
  /** For well-formed JSON that is too much for a reader: less of it, at the same place. The schema has to rule that out. */
  readonly less?: (valid: string, pick: number) => string
  /** What a value has to have for that. */
  readonly needs?: ShownInJson
}

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array => encoder.encode(text)

/** A kind that breaks the text. A pattern looks outside strings. */
export const textKind = (
  name: string,
  fault: string,
  make: (valid: string, pick: number) => string,
  is: RegExp | ((text: string) => boolean),
  needs?: ShownInJson,
): MalformedJsonKind => ({
  name,
  fault,
  ...(needs === undefined ? {} : { needs }),
  make: (valid, pick) => utf8(make(valid, pick)),
  is: bytes => {
    if (isUtf16(bytes) || !isUtf8(bytes)) return false
    const received = decoder.decode(bytes)
    return is instanceof RegExp ? is.test(withoutStrings(received)) : is(received)
  },
})

export const choose = <T>(options: readonly [T, ...T[]], pick: number): T =>
  options[pick % options.length] ?? options[0]
