/**
 * The faker method that Prism calls (`x-faker`) for a property of this name; the first matching row counts. None depends
 * on the clock: equal requests get equal values tomorrow as well.
 */
const methods: readonly (readonly [name: RegExp, method: string])[] = [
  [/e-?mail/i, 'internet.exampleEmail'],
  [/^(first|given)_?name$/i, 'person.firstName'],
  [/^(last|family|sur)_?name$/i, 'person.lastName'],
  [/^(user_?name|user|login|nick(name)?|handle)$/i, 'internet.username'],
  [
    /^((full|display|customer|guest)_?name|(author|owner|customer|contact|borrower|assignee|person)(_?name)?)$/i,
    'person.fullName',
  ],
  [/phone|mobile|^fax$/i, 'phone.number'],
  [/company|organi[sz]ation|vendor|supplier|brand/i, 'company.name'],
  [/(^|_)(url|uri|href|link|website|homepage|avatar|image)$|Ur[il]$/i, 'internet.url'],
  [/^(city|town|place)$/i, 'location.city'],
  [/country_?code$/i, 'location.countryCode'],
  [/country/i, 'location.country'],
  [/street|address/i, 'location.streetAddress'],
  [/^(zip|post(al)?)(_?code)?$/i, 'location.zipCode'],
  [/currency/i, 'finance.currencyCode'],
  [/^iban$/i, 'finance.iban'],
  [/colou?r/i, 'color.human'],
  [
    /(^|_)(id|key|token|code|ref|reference|sku|hash|etag|cursor)$|(Id|Key|Token|Code|Ref)$/,
    'string.alphanumeric',
  ],
  [
    /^(description|text|note|notes|comment|message|summary|body|detail|details|content|reason)$/i,
    'lorem.sentence',
  ],
  [/^(title|name|label|product|item)$/i, 'commerce.productName'],
  [/^(tag|tags|category|kind|type|state|status|group)$/i, 'word.adjective'],
]

/** The faker method for a text of this name. */
export const methodFor = (name: string): string =>
  methods.find(([names]) => names.test(name))?.[1] ?? 'lorem.words'
