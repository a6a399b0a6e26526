import { crash, crashPage, hang, hangUp, on, reset, when, withText } from './faults.ts'
import type { Asked, Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'
import { mediaType } from './store.ts'

const row = rowsOf('refuse')

const media = (types: string) => new RegExp(`^createPlant/request/content-type/(${types})`)
const any = /^createPlant\/(request\/(content-type\/|body\/required)|response\/)/

const also = (takes: (type: string, asked: Asked) => boolean): Partial<Parts> => ({
  media: asked => mediaType(asked) === 'application/json' || takes(mediaType(asked), asked),
})

const asSent = ({ request }: Asked) => request.headers['content-type'] ?? ''
const isAbsent = (asked: Asked) => asSent(asked) === ''

/** Stores that take what is not announced as JSON. */
const takingServers: readonly Broken[] = [
  row('checks-no-content-type', 'The content type is not looked at.', media('.*'), { media: () => true }),
  row(
    'takes-missing-content-type',
    'A body without a content type is taken for JSON.',
    media('absent|missing|empty'),
    also(type => type === ''),
  ),
  row(
    'takes-text',
    'Plain text is taken for JSON.',
    media('text|plain'),
    also(type => type === 'text/plain'),
  ),
  row(
    'takes-all-text',
    'Every kind of text is taken for JSON.',
    media('text|plain|html|xml'),
    also(type => type.startsWith('text/')),
  ),
  row(
    'takes-forms',
    'A form is taken for JSON.',
    media('form|urlencoded|multipart'),
    also(type => type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'),
  ),
  row(
    'takes-xml',
    'XML is taken for JSON.',
    media('xml'),
    also(type => type === 'application/xml'),
  ),
  row(
    'takes-bytes',
    'Bytes of any kind are taken for JSON.',
    media('binary|octet|bytes'),
    also(type => type === 'application/octet-stream'),
  ),
  row(
    'takes-json-suffix',
    'Every media type with the suffix +json is taken.',
    media('.*(suffix|json|patch|problem|vendor)'),
    also(type => type.endsWith('+json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-what-begins-like-json',
    'Every media type that begins with application/json is taken.',
    media('.*(json|prefix|lengthened|suffix|patch)'),
    also(type => type.startsWith('application/json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-what-contains-json',
    'Every media type with the letters json is taken.',
    media('.*(json|suffix|prefix|patch|lengthened|vendor|problem)'),
    also(type => type.includes('json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-all-of-application',
    'Every media type of application is taken.',
    media('.*(xml|form|binary|octet|json|suffix|lengthened|patch)'),
    also(type => type.startsWith('application/')),
  ),
]

const accepted = (names: string) =>
  new RegExp(`^createPlant/(request/(content-type|framing)/.*(${names})|response/declared)`)

/** Stores that refuse what is announced as JSON. */
const refusingServers: readonly Broken[] = [
  row('refuses-charset', 'A content type with parameters is refused.', accepted('charset|parameter'), {
    media: asked => asSent(asked).toLowerCase() === 'application/json',
  }),
  row(
    'refuses-tight-charset',
    'Parameters without a space before them are refused.',
    accepted('charset|parameter'),
    {
      media: asked => mediaType(asked) === 'application/json' && !/;\S/.test(asSent(asked)),
    },
  ),
  row('refuses-upper-case-charset', 'A charset in capitals is refused.', accepted('charset|case|parameter'), {
    media: asked => mediaType(asked) === 'application/json' && !asSent(asked).includes('UTF'),
  }),
  row(
    'compares-content-type-with-case',
    'A content type in other letter case is refused.',
    accepted('case'),
    {
      media: asked => asSent(asked).split(';')[0]?.trim() === 'application/json',
    },
  ),
  row(
    'crashes-on-charset',
    'A content type with parameters gets a 500.',
    accepted('charset|parameter'),
    when(asked => asSent(asked).includes(';') && mediaType(asked) === 'application/json', crash),
  ),
  row(
    'answers-charset-with-415',
    'A content type with parameters gets an undeclared 415.',
    accepted('charset|parameter'),
    when(
      asked => asSent(asked).includes(';') && mediaType(asked) === 'application/json',
      answer => ({ ...answer, status: 415 }),
    ),
  ),
  row(
    'answers-letter-case-with-415',
    'A content type in other letter case gets an undeclared 415.',
    accepted('case'),
    when(
      asked => /[A-Z]/.test(asSent(asked).split(';')[0] ?? ''),
      answer => ({ ...answer, status: 415 }),
    ),
  ),
]

/** Stores that see another media type, and refuse it in a way that the contract does not have. */
const refusalServers: readonly Broken[] = [
  row(
    'refuses-content-type-with-415',
    'Other media types get an undeclared 415.',
    any,
    on('media', answer => ({ ...answer, status: 415 })),
  ),
  row(
    'refuses-content-type-with-406',
    'Other media types get an undeclared 406.',
    any,
    on('media', answer => ({ ...answer, status: 406 })),
  ),
  row(
    'refuses-content-type-in-text',
    'The refusal of other media types is plain text.',
    any,
    on('media', answer => withText(answer, 400, 'Unsupported Media Type')),
  ),
  row(
    'refuses-content-type-without-body',
    'The refusal of other media types has no body.',
    any,
    on('media', answer => ({ ...answer, headers: {}, body: '' })),
  ),
  row(
    'refuses-content-type-with-200',
    'The refusal of other media types has status 200.',
    any,
    on('media', answer => ({ ...answer, status: 200 })),
  ),
  row('crashes-on-content-type', 'Other media types get a 500.', any, on('media', crash)),
  row(
    'crashes-without-content-type',
    'A missing content type gets a 500.',
    any,
    when((asked, { cause }) => cause === 'media' && isAbsent(asked), crashPage),
  ),
  row(
    'crashes-on-forms',
    'Forms get a 500.',
    any,
    when((asked, { cause }) => cause === 'media' && mediaType(asked).includes('form'), crash),
  ),
  row(
    'hangs-without-content-type',
    'A missing content type gets no answer.',
    any,
    when((asked, { cause }) => cause === 'media' && isAbsent(asked), hang),
  ),
  row(
    'hangs-on-text',
    'Plain text gets no answer.',
    any,
    when((asked, { cause }) => cause === 'media' && mediaType(asked) === 'text/plain', hang),
  ),
  row(
    'resets-on-xml',
    'XML resets the connection.',
    any,
    when((asked, { cause }) => cause === 'media' && mediaType(asked).endsWith('xml'), reset),
  ),
  row('hangs-up-on-content-type', 'Other media types end the connection.', any, on('media', hangUp)),
]

export const mediaServers: readonly Broken[] = [...takingServers, ...refusingServers, ...refusalServers]
