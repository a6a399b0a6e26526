/**
 * JSON without loss. A double is exact for integers up to 2^53 only: JSON.parse silently turns 9223372036854775807 into
 * 9223372036854775808. Here integers that a double cannot hold are bigints, in both directions.
 */

// Not in the compiler's types yet: the source text of a number, and a number that is written as given.
type Source = { readonly source?: string }
type Newer = {
  readonly parse: (text: string, revive: (key: string, value: unknown, from: Source) => unknown) => unknown
  readonly rawJSON: (text: string) => unknown
}
const newer = JSON as unknown as Newer

export const readJson = <T>(text: string): T =>
  newer.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? BigInt(source as string)
      : value,
  ) as T

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? newer.rawJSON(String(each)) : each,
  )
