const label = '[a-z0-9]+(-[a-z0-9]+)*'
const host = `(${label}\\.)*[a-z]{2,}`
const email = `[A-Za-z0-9]+([._+-][A-Za-z0-9]+)*@${label}\\.${host}`
const date = '(19|20)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])'
const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-3]):[0-5]\\d)'
const octet = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const group = '[1-9a-f][0-9a-f]{0,3}'
const segments = '(/[A-Za-z0-9._~-]+)*/?'
const uri = `((https?|ftp)://${host}(:[1-9]\\d{1,3})?${segments}(\\?[a-z]+=[A-Za-z0-9]+)?(#[a-z]+)?|urn:[a-z][a-z0-9]+:[A-Za-z0-9:._-]+|mailto:${email})`
const reference = `(${uri}|${segments}(#[a-z]+)?)`

const digits = '(0|[1-9]\\d{0,8})'

/** A pattern for plain members of each string format; it covers the whole text, so that it combines with other patterns. */
export const formatPatterns: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: 'P([1-9]\\d*[YMDW]|([1-9]\\d*D)?T[1-9]\\d*[HMS])',
  email,
  'idn-email': email,
  hostname: host,
  'idn-hostname': host,
  ipv4: `${octet}(\\.${octet}){3}`,
  ipv6: `((${group}:){7}${group}|(${group}:){1,6}:${group})`,
  uri,
  iri: uri,
  'uri-reference': reference,
  'iri-reference': reference,
  'uri-template': `https?://${host}(/[a-z0-9]+|/\\{[a-z]+\\})*`,
  uuid: '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}',
  'json-pointer': '(/([A-Za-z0-9_.-]|~[01])*)*',
  'relative-json-pointer': '(0|[1-9]\\d?)(#|(/[A-Za-z0-9_.-]+)*)',
  regex: '\\^?[A-Za-z0-9_ @:/-]+\\$?',
  int8: '(0|[1-9]\\d?)',
  int16: '(0|[1-9]\\d{0,3})',
  int32: digits,
  int64: digits,
  uint8: '(0|[1-9]\\d?)',
  uint16: '(0|[1-9]\\d{0,3})',
  uint32: digits,
  uint64: digits,
  byte: '([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?',
}
