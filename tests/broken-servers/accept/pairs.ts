import { crash, crashPage, type Fault, reject, unprocessable, when } from '../store/faults.ts'
import type { BrokenServer, Exchange, NewPlant, SentRequest } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant, raw } from '../store/sent.ts'
import { astral, beyondAscii } from '../store/texts.ts'

const row = rowsOf('accept')

const accepted =
  /^createPlant\/(request\/(valid|combined|body|layout|framing|size)|response\/declared|stability\/)/

type Matches = (plant: NewPlant, exchange: Exchange) => boolean

/** Fails if two conditions meet in a valid request, and only then. `shown`: such a request. */
const failing = (
  name: string,
  about: string,
  matches: Matches,
  shown: SentRequest,
  fault: Fault = crash,
  level: 'MUST' | 'SHOULD' = 'MUST',
): BrokenServer =>
  row(
    name,
    about,
    accepted,
    when(
      (exchange, { cause, plant }) => cause === 'none' && plant !== undefined && matches(plant, exchange),
      fault,
    ),
    { level, witness: inTurn(shown) },
  )

const isLong = (text: string | undefined): boolean => (text?.length ?? 0) >= 64
const isTagged = ({ tag }: NewPlant): boolean => tag !== undefined
const hasQuote = (text: string | undefined): boolean => /["\\]/.test(text ?? '')
const isBeyondAscii = (text: string | undefined): boolean => beyondAscii.test(text ?? '')
const isAstral = (text: string | undefined): boolean => astral.test(text ?? '')

const negative = -4_711_001
const large = 3_000_000_001
const long = 'Philodendron '.repeat(8)

/** Stores with faults that need two conditions at once: each of them alone does no harm. */
export const pairServers: readonly BrokenServer[] = [
  failing(
    'crashes-on-negative-id-with-tag',
    'A negative id with a tag gets a 500.',
    plant => plant.id < 0n && isTagged(plant),
    plant({ id: negative }),
  ),
  failing(
    'rejects-negative-id-without-tag',
    'A negative id without a tag is rejected.',
    plant => plant.id < 0n && !isTagged(plant),
    plant({ id: negative, tag: undefined }),
    reject,
  ),
  failing(
    'rejects-negative-id-without-name',
    'A negative id with an empty name is rejected.',
    ({ id, name }) => id < 0n && name === '',
    plant({ id: negative, name: '' }),
    reject,
    'SHOULD',
  ),
  failing(
    'crashes-on-negative-id-with-long-name',
    'A negative id with a name of 64 characters or more gets a 500.',
    ({ id, name }) => id < 0n && isLong(name),
    plant({ id: negative, name: long }),
  ),
  failing(
    'crashes-on-negative-id-beyond-ascii',
    'A negative id with a name beyond ASCII gets a 500.',
    ({ id, name }) => id < 0n && isBeyondAscii(name),
    plant({ id: negative, name: 'Aloë' }),
    crashPage,
  ),
  failing(
    'rejects-large-id-with-tag',
    'An id beyond int32 with a tag is rejected.',
    plant => plant.id > 2n ** 31n && isTagged(plant),
    plant({ id: large }),
    reject,
  ),
  failing(
    'rejects-large-id-without-tag',
    'An id beyond int32 without a tag gets a 422.',
    plant => plant.id > 2n ** 31n && !isTagged(plant),
    plant({ id: large, tag: undefined }),
    unprocessable,
  ),
  failing(
    'crashes-on-large-id-with-long-tag',
    'An id beyond int32 with a tag of 64 characters or more gets a 500.',
    ({ id, tag }) => id > 2n ** 31n && isLong(tag),
    plant({ id: large, tag: long }),
  ),
  failing(
    'crashes-on-large-id-with-empty-tag',
    'An id beyond int32 with an empty tag gets a 500.',
    ({ id, tag }) => id > 2n ** 31n && tag === '',
    plant({ id: large, tag: '' }),
  ),
  failing(
    'rejects-unsafe-id-with-empty-name',
    'An id beyond 2^53 with an empty name is rejected.',
    ({ id, name }) => id > 2n ** 53n && name === '',
    raw('{"id":900000000000004711,"name":""}'),
    reject,
    'SHOULD',
  ),
  failing(
    'crashes-on-unsafe-id-with-quotes',
    'An id beyond 2^53 with a quotation mark or a backslash in the tag gets a 500.',
    ({ id, tag }) => id > 2n ** 53n && hasQuote(tag),
    raw('{"id":900000000000004711,"name":"Fern","tag":"a\\"b"}'),
  ),
  failing(
    'crashes-on-unsafe-id-with-astral-name',
    'An id beyond 2^53 with an astral character in the name gets a 500.',
    ({ id, name }) => id > 2n ** 53n && isAstral(name),
    raw('{"id":900000000000004711,"name":"🌵"}'),
  ),
  failing(
    'crashes-on-long-astral-name',
    'A name of 64 characters or more with an astral character gets a 500.',
    ({ name }) => isLong(name) && isAstral(name),
    plant({ name: `${long}🌵` }),
  ),
  failing(
    'crashes-on-long-name-beyond-ascii',
    'A name of 64 characters or more with a character beyond ASCII gets a 500.',
    ({ name }) => isLong(name) && isBeyondAscii(name),
    plant({ name: `${long}é` }),
  ),
  failing(
    'crashes-on-late-quotes',
    'A quotation mark or a backslash after 64 characters of the name gets a 500.',
    ({ name }) => hasQuote(name.slice(64)),
    plant({ name: `${long}"` }),
  ),
  failing(
    'crashes-on-late-quotes-in-tag',
    'A quotation mark or a backslash after 64 characters of the tag gets a 500.',
    ({ tag }) => hasQuote(tag?.slice(64)),
    plant({ tag: `${long}"` }),
  ),
  failing(
    'crashes-on-long-astral-tag',
    'A tag of 64 characters or more with an astral character gets a 500.',
    ({ tag }) => isLong(tag) && isAstral(tag),
    plant({ tag: `${long}🌵` }),
  ),
  failing(
    'rejects-empty-name-with-tag',
    'An empty name with a tag is rejected.',
    plant => plant.name === '' && isTagged(plant),
    plant({ name: '' }),
    reject,
    'SHOULD',
  ),
  failing(
    'rejects-empty-name-without-tag',
    'An empty name without a tag is rejected.',
    plant => plant.name === '' && !isTagged(plant),
    plant({ name: '', tag: undefined }),
    reject,
    'SHOULD',
  ),
  failing(
    'rejects-nothing-but-an-id',
    'An empty name with an empty tag is rejected.',
    ({ name, tag }) => name === '' && tag === '',
    plant({ name: '', tag: '' }),
    unprocessable,
  ),
  failing(
    'crashes-on-long-name-with-empty-tag',
    'A name of 64 characters or more with an empty tag gets a 500.',
    ({ name, tag }) => isLong(name) && tag === '',
    plant({ name: long, tag: '' }),
  ),
  failing(
    'crashes-on-long-name-without-tag',
    'A name of 64 characters or more without a tag gets a 500.',
    plant => isLong(plant.name) && !isTagged(plant),
    plant({ name: long, tag: undefined }),
  ),
  failing(
    'limits-name-and-tag-together',
    'Name and tag may have 130 characters together.',
    ({ name, tag }) => isLong(name) && isLong(tag),
    plant({ name: long, tag: long }),
    reject,
  ),
  failing(
    'crashes-on-two-texts-beyond-ascii',
    'Name and tag that are both beyond ASCII get a 500.',
    ({ name, tag }) => isBeyondAscii(name) && isBeyondAscii(tag),
    plant({ name: 'Aloë', tag: 'groß' }),
  ),
  failing(
    'crashes-on-two-quotes',
    'Quotation marks or backslashes in both name and tag get a 500.',
    ({ name, tag }) => hasQuote(name) && hasQuote(tag),
    plant({ name: 'a"b', tag: 'c\\d' }),
  ),
  failing(
    'crashes-on-two-astral-texts',
    'Astral characters in both name and tag get a 500.',
    ({ name, tag }) => isAstral(name) && isAstral(tag),
    plant({ name: '🌵', tag: '🌱' }),
  ),
  failing(
    'crashes-on-quotes-beside-accents',
    'A quotation mark in the name beside a tag beyond ASCII gets a 500.',
    ({ name, tag }) => hasQuote(name) && isBeyondAscii(tag),
    plant({ name: 'a"b', tag: 'groß' }),
  ),
  failing(
    'crashes-on-accents-beside-quotes',
    'A name beyond ASCII beside a quotation mark in the tag gets a 500.',
    ({ name, tag }) => isBeyondAscii(name) && hasQuote(tag),
    plant({ name: 'Aloë', tag: 'a"b' }),
    crashPage,
  ),
  failing(
    'crashes-on-long-name-with-quotes-in-tag',
    'A name of 64 characters or more with a quotation mark or a backslash in the tag gets a 500.',
    ({ name, tag }) => isLong(name) && hasQuote(tag),
    plant({ name: long, tag: 'a"b' }),
  ),
  failing(
    'rejects-long-tag-beside-accents',
    'A tag of 64 characters or more beside a name beyond ASCII is rejected.',
    ({ name, tag }) => isBeyondAscii(name) && isLong(tag),
    plant({ name: 'Aloë', tag: long }),
    reject,
  ),
  failing(
    'crashes-on-large-id-beside-accents',
    'An id beyond int32 with a tag beyond ASCII gets a 500.',
    ({ id, tag }) => id > 2n ** 31n && isBeyondAscii(tag),
    plant({ id: large, tag: 'groß' }),
  ),
  failing(
    'rejects-negative-id-with-quotes',
    'A negative id with a quotation mark or a backslash in the name is rejected.',
    ({ id, name }) => id < 0n && hasQuote(name),
    plant({ id: negative, name: 'a"b' }),
    reject,
  ),
  failing(
    'crashes-on-unsafe-id-with-long-name',
    'An id beyond 2^53 with a name of 64 characters or more gets a 500.',
    ({ id, name }) => id > 2n ** 53n && isLong(name),
    raw(`{"id":900000000000004711,"name":"${long}"}`),
  ),
]
