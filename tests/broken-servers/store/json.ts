const grammar = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** In JSON Schema 1.0 and 1e3 are integers, and an int64 does not fit a double: integers become bigint. */
const exactNumber = (source: string): bigint | number => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = grammar.exec(source) ?? []
  const digits = (whole + fraction).replace(/0+$/, '')
  if (/^0*$/.test(digits)) return 0n
  const shift = Number(exponent) + whole.length - digits.length
  if (shift < 0 || shift > 400) return Number(source)
  return BigInt(sign + digits) * 10n ** BigInt(shift)
}

export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined ? exactNumber(source) : value,
  )

export const decodeUtf8 = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isInt64 = (value: unknown): value is bigint =>
  typeof value === 'bigint' && value === BigInt.asIntN(64, value)

export const isText = (value: unknown): value is string => typeof value === 'string'

/** What a careless store prints for a value that is not a string. */
export const asText = (value: unknown): string => {
  if (isText(value)) return value
  if (value === undefined || value === null) return ''
  return isObject(value) ? '[object Object]' : String(value)
}
