import { bodyText, crash, type Fault, reject, unprocessable } from '../store/faults.ts'
import type { BrokenServer, Exchange, NewPlant, Parts, SentRequest } from '../store/model.ts'
import {
  accepted,
  failing,
  hasQuote,
  isBeyondAscii,
  isLong,
  isTagged,
  large,
  long,
  type Matches,
  negative,
} from '../store/pairs.ts'
import { rare, rowsOf } from '../store/row.ts'
import { inTurn, plant, raw } from '../store/sent.ts'

const row = rowsOf('accept')

/** The request in chunks. */
const chunked = (request: SentRequest): SentRequest => ({ ...request, chunked: true })
const isChunked = (exchange: Exchange): boolean => exchange.request.headers['transfer-encoding'] !== undefined

/** White space around the tokens of JSON. */
const isSpaced = (exchange: Exchange): boolean => /^\s*\{\s+"/.test(bodyText(exchange))
const spaced = (value: object): SentRequest => raw(JSON.stringify(value, null, 2))

const isEscaped = (exchange: Exchange): boolean => /\\u00[0-9a-f]{2}/i.test(bodyText(exchange))

/** The name comes before the id. */
const isReordered = (exchange: Exchange): boolean => /"name".*"id"/s.test(bodyText(exchange))

/** Fails on a valid plant that matches if the request before it on the connection was rejected, or accepted. */
const afterOther = (
  name: string,
  about: string,
  wasRejected: boolean,
  matches: Matches,
  shown: SentRequest,
  fault: Fault = crash,
): BrokenServer =>
  row(
    name,
    about,
    accepted,
    (): Partial<Parts> => {
      const before = new WeakMap<object, boolean>()
      return {
        respond: (response, exchange) => {
          const { socket } = exchange.request
          const last = before.get(socket)
          before.set(socket, response.cause !== 'none')
          const isHit = response.cause === 'none' && response.plant !== undefined && last === wasRejected
          return isHit && matches(response.plant as NewPlant, exchange) ? fault(response, exchange) : response
        },
      }
    },
    { witness: inTurn(wasRejected ? raw('{"id":') : plant(), shown), ...rare },
  )

/** Stores with faults that need a condition of the plant and one of how it is sent. */
export const sendingPairServers: readonly BrokenServer[] = [
  failing(
    'crashes-on-chunks-beyond-ascii',
    'A chunked body beyond ASCII gets a 500.',
    ({ name }, exchange) => isChunked(exchange) && isBeyondAscii(name),
    chunked(plant({ name: 'Aloë' })),
  ),
  failing(
    'rejects-chunks-without-tag',
    'A chunked body without a tag is rejected.',
    (plant, exchange) => isChunked(exchange) && !isTagged(plant),
    chunked(plant({ tag: undefined })),
    reject,
  ),
  failing(
    'rejects-negative-ids-in-chunks',
    'A chunked body with a negative id is rejected.',
    ({ id }, exchange) => isChunked(exchange) && id < 0n,
    chunked(plant({ id: negative })),
    reject,
  ),
  failing(
    'crashes-on-long-names-in-chunks',
    'A chunked body with a name of 64 characters or more gets a 500.',
    ({ name }, exchange) => isChunked(exchange) && isLong(name),
    chunked(plant({ name: long })),
  ),
  failing(
    'crashes-on-spaced-long-tag',
    'White space between the tokens with a tag of 64 characters or more gets a 500.',
    ({ tag }, exchange) => isSpaced(exchange) && isLong(tag),
    spaced({ id: 4_711_002, name: 'Fern', tag: long }),
  ),
  failing(
    'rejects-spaced-negative-id',
    'White space between the tokens with a negative id is rejected.',
    ({ id }, exchange) => isSpaced(exchange) && id < 0n,
    spaced({ id: negative, name: 'Fern' }),
    reject,
  ),
  failing(
    'crashes-on-escapes-without-tag',
    'Escapes of ASCII characters without a tag get a 500.',
    (plant, exchange) => isEscaped(exchange) && !isTagged(plant),
    raw('{"id":4711003,"\\u006eame":"Fern"}'),
  ),
  failing(
    'crashes-on-escapes-in-chunks',
    'Escapes of ASCII characters in a chunked body get a 500.',
    (_, exchange) => isEscaped(exchange) && isChunked(exchange),
    chunked(raw('{"id":4711004,"\\u006eame":"Fern"}')),
  ),
  failing(
    'rejects-other-order-without-tag',
    'The name before the id without a tag is rejected.',
    (plant, exchange) => isReordered(exchange) && !isTagged(plant),
    raw('{"name":"Fern","id":4711010}'),
    reject,
  ),
  failing(
    'crashes-on-other-order-with-long-name',
    'The name before the id gets a 500 if it has 64 characters or more.',
    ({ name }, exchange) => isReordered(exchange) && isLong(name),
    raw(JSON.stringify({ name: long, id: 4_711_011 })),
  ),
  failing(
    'crashes-on-escapes-beside-negative-ids',
    'Escapes of ASCII characters with a negative id get a 500.',
    ({ id }, exchange) => isEscaped(exchange) && id < 0n,
    raw('{"id":-4711012,"\\u006eame":"Fern"}'),
  ),
  failing(
    'rejects-escapes-beside-long-tags',
    'Escapes of ASCII characters with a tag of 64 characters or more are rejected.',
    ({ tag }, exchange) => isEscaped(exchange) && isLong(tag),
    raw(`{"id":4711013,"\\u006eame":"Fern","tag":"${long}"}`),
    reject,
  ),
  failing(
    'rejects-escapes-beside-large-ids',
    'Escapes of ASCII characters with an id beyond int32 are rejected.',
    ({ id }, exchange) => isEscaped(exchange) && id > 2n ** 31n,
    raw('{"id":3000000003,"\\u006eame":"Fern"}'),
    unprocessable,
  ),
  failing(
    'rejects-spaced-plants-without-tag',
    'White space between the tokens without a tag is rejected.',
    (plant, exchange) => isSpaced(exchange) && !isTagged(plant),
    spaced({ id: 4_711_014, name: 'Fern' }),
    reject,
  ),
  failing(
    'crashes-on-spaced-accents',
    'White space between the tokens with a name beyond ASCII gets a 500.',
    ({ name }, exchange) => isSpaced(exchange) && isBeyondAscii(name),
    spaced({ id: 4_711_015, name: 'Aloë' }),
  ),
  failing(
    'rejects-large-ids-in-chunks',
    'A chunked body with an id beyond int32 is rejected.',
    ({ id }, exchange) => isChunked(exchange) && id > 2n ** 31n,
    chunked(plant({ id: large })),
    reject,
  ),
  failing(
    'crashes-on-spaced-chunks',
    'White space between the tokens of a chunked body gets a 500.',
    (_, exchange) => isChunked(exchange) && isSpaced(exchange),
    chunked(spaced({ id: 4_711_016, name: 'Fern' })),
  ),
  failing(
    'crashes-on-quotes-in-chunks',
    'A chunked body with a quotation mark or a backslash in the tag gets a 500.',
    ({ tag }, exchange) => isChunked(exchange) && hasQuote(tag),
    chunked(plant({ tag: 'a"b' })),
  ),
  failing(
    'crashes-on-empty-tags-in-chunks',
    'A chunked body with an empty tag gets a 500.',
    ({ tag }, exchange) => isChunked(exchange) && tag === '',
    chunked(plant({ tag: '' })),
  ),
  afterOther(
    'expects-a-tag-after-a-rejection',
    'After a rejection, the next plant on the connection needs a tag.',
    true,
    plant => !isTagged(plant),
    plant({ tag: undefined }),
    reject,
  ),
  afterOther(
    'crashes-on-negative-ids-after-a-rejection',
    'After a rejection, a negative id on the connection gets a 500.',
    true,
    ({ id }) => id < 0n,
    plant({ id: negative }),
  ),
  afterOther(
    'crashes-on-long-names-after-a-plant',
    'After a plant, a name of 64 characters or more on the connection gets a 500.',
    false,
    ({ name }) => isLong(name),
    plant({ name: long }),
  ),
  afterOther(
    'rejects-chunks-after-a-rejection',
    'After a rejection, a chunked plant on the connection is rejected.',
    true,
    (_, exchange) => isChunked(exchange),
    chunked(plant()),
    reject,
  ),
]
