/** Texts of well-known codes, by the name of the property: the most usual ones first, also in other spellings. */
const codes: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [/currency/i, ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'CAD', 'AUD', 'PLN', 'DKK']],
  [
    /country|nationality/i,
    ['DE', 'FR', 'US', 'GB', 'JP', 'SE', 'CA', 'AU', 'PL', 'NL', 'ES', 'IT', 'BR', 'IN', 'KE'],
  ],
  [
    /country|nationality/i,
    ['DEU', 'FRA', 'USA', 'GBR', 'JPN', 'SWE', 'CAN', 'AUS', 'POL', 'NLD', 'ESP', 'ITA', 'BRA', 'IND', 'KEN'],
  ],
  [/locale/i, ['en-GB', 'de-DE', 'fr-FR', 'en-US', 'es-ES', 'ja-JP']],
  [/^lang(uage)?(_?code)?$/i, ['en', 'de', 'fr', 'es', 'it', 'ja']],
  [/time_?zone|^tz$/i, ['Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Tokyo']],
  [/algorithm$|^alg$|^hash_?(type|function|name)$/i, ['sha256', 'hmac-sha256', 'HS256', 'SHA-256', 'RS256']],
  [/^(http_?)?(method|verb)$/i, ['GET', 'POST', 'get', 'PUT']],
  [/(^|_)(log_?)?level$|Level$|^severity$/i, ['info', 'INFO', 'warning', 'error']],
  [/^(protocol|scheme)$/i, ['http', 'https', 'tcp']],
  [/(mime|media|content)_?type$/i, ['text/plain', 'application/json', 'image/png']],
  [/charset|^encoding$/i, ['utf-8', 'UTF-8']],
  [/^((sort|order)_?)?(order|direction|dir)$/i, ['asc', 'desc', 'ASC', 'DESC']],
  [/cidr|subnet|^ip_?range$/i, ['192.0.2.0/24', '198.51.100.0/24']],
  [/^mac(_?addr(ess)?)?$/i, ['00:00:5e:00:53:01']],
  [/^(output_?|file_?|export_?|response_?)?format$/i, ['json', 'csv', 'JSON', 'text']],
  [/^visibility$/i, ['public', 'private', 'PUBLIC']],
  [/^role$/i, ['user', 'admin', 'member', 'viewer']],
  [/^(week_?day|day_?of_?week)$/i, ['monday', 'Monday', 'MONDAY', 'mon']],
  [/sha_?256|^(checksum|digest)$/i, ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855']],
]

/** The lists of codes that a property of this name may have. */
export const codesFor = (name: string): readonly (readonly string[])[] =>
  codes.filter(([names]) => names.test(name)).map(([, values]) => values)
