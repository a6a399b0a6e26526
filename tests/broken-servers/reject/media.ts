import { crash, crashPage, hang, hangUp, on, reset, when, withText } from '../store/faults.ts'
import type { BrokenServer, Exchange, Parts } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { mediaType } from '../store/store.ts'

const row = rowsOf('reject')

const media = (types: string) => new RegExp(`^createPlant/request/content-type/(${types})`)
const any = /^createPlant\/(request\/(content-type\/|body\/required)|response\/)/

const also = (takes: (type: string, exchange: Exchange) => boolean): Partial<Parts> => ({
  media: exchange => mediaType(exchange) === 'application/json' || takes(mediaType(exchange), exchange),
})

const asSent = ({ request }: Exchange) => request.headers['content-type'] ?? ''
const isAbsent = (exchange: Exchange) => asSent(exchange) === ''

/** Stores that accept a body that is not declared as JSON. */
const takingServers: readonly BrokenServer[] = [
  row('checks-no-content-type', 'The content type is not checked.', media('.*'), { media: () => true }),
  row(
    'takes-missing-content-type',
    'A body without a content type is accepted as JSON.',
    media('absent|missing|empty'),
    also(type => type === ''),
    { level: 'SHOULD' },
  ),
  row(
    'takes-text',
    'Plain text is accepted as JSON.',
    media('text|plain'),
    also(type => type === 'text/plain'),
  ),
  row(
    'takes-all-text',
    'Every kind of text is accepted as JSON.',
    media('text|plain|html|xml'),
    also(type => type.startsWith('text/')),
  ),
  row(
    'takes-forms',
    'A form is accepted as JSON.',
    media('form|urlencoded|multipart'),
    also(type => type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data'),
  ),
  row(
    'takes-xml',
    'XML is accepted as JSON.',
    media('xml'),
    also(type => type === 'application/xml'),
  ),
  row(
    'takes-bytes',
    'Bytes of any kind are accepted as JSON.',
    media('binary|octet|bytes'),
    also(type => type === 'application/octet-stream'),
  ),
  row(
    'takes-json-suffix',
    'Every media type with the suffix +json is accepted.',
    media('.*(suffix|json|patch|problem|vendor)'),
    also(type => type.endsWith('+json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-what-begins-like-json',
    'Every media type that begins with application/json is accepted.',
    media('.*(json|prefix|lengthened|suffix|patch)'),
    also(type => type.startsWith('application/json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-what-contains-json',
    'Every media type that contains json is accepted.',
    media('.*(json|suffix|prefix|patch|lengthened|vendor|problem)'),
    also(type => type.includes('json')),
    { level: 'SHOULD' },
  ),
  row(
    'takes-all-of-application',
    'Every application/* media type is accepted.',
    media('.*(xml|form|binary|octet|json|suffix|lengthened|patch)'),
    also(type => type.startsWith('application/')),
  ),
]

const accepted = (names: string) =>
  new RegExp(`^createPlant/(request/(content-type|framing)/.*(${names})|response/declared)`)

/** Stores that reject a body that is declared as JSON. */
const refusingServers: readonly BrokenServer[] = [
  row('rejects-charset', 'A content type with parameters is rejected.', accepted('charset|parameter'), {
    media: exchange => asSent(exchange).toLowerCase() === 'application/json',
  }),
  row(
    'rejects-tight-charset',
    'Parameters without a space in front are rejected.',
    accepted('charset|parameter'),
    {
      media: exchange => mediaType(exchange) === 'application/json' && !/;\S/.test(asSent(exchange)),
    },
  ),
  row(
    'rejects-upper-case-charset',
    'A charset in capital letters is rejected.',
    accepted('charset|case|parameter'),
    {
      media: exchange => mediaType(exchange) === 'application/json' && !asSent(exchange).includes('UTF'),
    },
  ),
  row(
    'compares-content-type-case-sensitively',
    'A content type in a different letter case is rejected.',
    accepted('case'),
    {
      media: exchange => asSent(exchange).split(';')[0]?.trim() === 'application/json',
    },
  ),
  row(
    'crashes-on-charset',
    'A content type with parameters gets a 500.',
    accepted('charset|parameter'),
    when(exchange => asSent(exchange).includes(';') && mediaType(exchange) === 'application/json', crash),
  ),
  row(
    'answers-charset-with-415',
    'A content type with parameters gets an undeclared 415.',
    accepted('charset|parameter'),
    when(
      exchange => asSent(exchange).includes(';') && mediaType(exchange) === 'application/json',
      response => ({ ...response, status: 415 }),
    ),
  ),
  row(
    'answers-letter-case-with-415',
    'A content type in a different letter case gets an undeclared 415.',
    accepted('case'),
    when(
      exchange => /[A-Z]/.test(asSent(exchange).split(';')[0] ?? ''),
      response => ({ ...response, status: 415 }),
    ),
  ),
]

/** Stores that reject other media types, but not as the contract declares. */
const refusalServers: readonly BrokenServer[] = [
  row(
    'rejects-content-type-with-415',
    'Other media types get an undeclared 415.',
    any,
    on('media', response => ({ ...response, status: 415 })),
  ),
  row(
    'rejects-content-type-with-406',
    'Other media types get an undeclared 406.',
    any,
    on('media', response => ({ ...response, status: 406 })),
  ),
  row(
    'rejects-content-type-in-text',
    'The rejection of other media types is plain text.',
    any,
    on('media', response => withText(response, 400, 'Unsupported Media Type')),
  ),
  row(
    'rejects-content-type-without-body',
    'The rejection of other media types has no body.',
    any,
    on('media', response => ({ ...response, headers: {}, body: '' })),
  ),
  row(
    'rejects-content-type-with-200',
    'The rejection of other media types has status 200.',
    any,
    on('media', response => ({ ...response, status: 200 })),
  ),
  row('crashes-on-content-type', 'Other media types get a 500.', any, on('media', crash)),
  row(
    'crashes-without-content-type',
    'A missing content type gets a 500.',
    any,
    when((exchange, { cause }) => cause === 'media' && isAbsent(exchange), crashPage),
  ),
  row(
    'crashes-on-forms',
    'Forms get a 500.',
    any,
    when((exchange, { cause }) => cause === 'media' && mediaType(exchange).includes('form'), crash),
  ),
  row(
    'hangs-without-content-type',
    'A missing content type gets no response.',
    any,
    when((exchange, { cause }) => cause === 'media' && isAbsent(exchange), hang),
    hangs,
  ),
  row(
    'hangs-on-text',
    'Plain text gets no response.',
    any,
    when((exchange, { cause }) => cause === 'media' && mediaType(exchange) === 'text/plain', hang),
    hangs,
  ),
  row(
    'resets-on-xml',
    'XML resets the connection.',
    any,
    when((exchange, { cause }) => cause === 'media' && mediaType(exchange).endsWith('xml'), reset),
  ),
  row('hangs-up-on-content-type', 'Other media types end the connection.', any, on('media', hangUp)),
]

export const mediaServers: readonly BrokenServer[] = [...takingServers, ...refusingServers, ...refusalServers]
