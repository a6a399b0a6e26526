/** Texts of well-known codes, by the name of the property. */
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
]

/** The lists of codes that a property of this name may have. */
export const codesFor = (name: string): readonly (readonly string[])[] =>
  codes.filter(([names]) => names.test(name)).map(([, values]) => values)
