/** The plant of a request, read exactly; throws an error with the code of what is wrong. */
export const token = process.env.STORE_TOKEN

export class Rejection extends Error {
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

export const checkToken = header => {
  const [, given] = /^bearer +(\S+)$/i.exec(header ?? '') ?? []
  if (given !== token) throw new Rejection(1, 'a valid bearer token is needed')
}

export const checkType = header => {
  if ((header ?? '').split(';')[0].trim().toLowerCase() !== 'application/json')
    throw new Rejection(2, 'the body is not application/json')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const most = 2n ** 63n

// JSON.parse rounds: the digits are in the source text.
const integerOf = source => {
  const [, sign, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  if (whole === undefined || Math.abs(Number(exponent)) > 1000) return null
  const shift = Number(exponent) - fraction.length
  const digits = whole + fraction
  const kept = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift) || '0'
  const cut = shift >= 0 ? '' : digits.slice(shift)
  return /[1-9]/.test(cut) ? null : BigInt(`${sign}${kept}`)
}

class Digits {
  constructor(source) {
    this.source = source
  }
}

export const readPlant = bytes => {
  let value
  try {
    value = JSON.parse(utf8.decode(bytes), (_name, item, { source }) =>
      typeof item === 'number' ? new Digits(source) : item,
    )
  } catch {
    throw new Rejection(3, 'the body is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Digits)
    throw new Rejection(4, 'the body is not an object')
  const { name, tag } = value
  const id = Object.hasOwn(value, 'id') && value.id instanceof Digits ? integerOf(value.id.source) : null
  if (id === null || id >= most || id < -most) throw new Rejection(5, 'id is not an int64')
  if (!Object.hasOwn(value, 'name') || typeof name !== 'string')
    throw new Rejection(6, 'name is not a string')
  if (!Object.hasOwn(value, 'tag')) return { name }
  if (typeof tag !== 'string') throw new Rejection(7, 'tag is not a string')
  return { name, tag }
}
