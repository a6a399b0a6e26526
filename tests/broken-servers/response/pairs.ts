import { withJson } from '../store/faults.ts'
import type { BrokenServer, NewPlant } from '../store/model.ts'
import { isLong, long } from '../store/pairs.ts'
import { rare, rowsOf } from '../store/row.ts'
import { inTurn, plant } from '../store/sent.ts'
import { lawfulParts } from '../store/store.ts'

const row = rowsOf('response')

/** Answers with another Plant if two conditions meet. */
const answering = (
  name: string,
  about: string,
  breaks: RegExp,
  change: (plant: NewPlant) => object | null,
  shown: Readonly<Record<string, unknown>>,
  level: 'MUST' | 'SHOULD' = 'SHOULD',
): BrokenServer =>
  row(
    name,
    about,
    breaks,
    { plant: (given, exchange) => change(given) ?? lawfulParts.plant(given, exchange) },
    { level, witness: inTurn(plant(shown)), ...rare },
  )

/** Stores whose Plant is wrong if two conditions meet in the request. */
export const pairResponseServers: readonly BrokenServer[] = [
  answering(
    'forgets-tag-of-long-names',
    'The tag of a plant with a name of 64 characters or more is not in the Plant.',
    /response\/200\/echo\/tag/,
    ({ name, tag }) => (isLong(name) && tag !== undefined ? { name } : null),
    { name: long },
  ),
  answering(
    'swaps-two-long-texts',
    'A name and a tag of 64 characters or more are swapped.',
    /response\/200\/echo/,
    ({ name, tag }) => (isLong(name) && isLong(tag) ? { name: tag, tag: name } : null),
    { name: `a${long}`, tag: `b${long}` },
  ),
  answering(
    'forgets-empty-name-beside-tag',
    'An empty name beside a tag is not in the Plant.',
    /response\/200\/(body|echo)\/name/,
    ({ name, tag }) => (name === '' && tag !== undefined ? { tag } : null),
    { name: '' },
    'MUST',
  ),
  answering(
    'nulls-empty-tag-of-negative-ids',
    'An empty tag of a plant with a negative id is null.',
    /response\/200\/(body|echo)\/tag/,
    ({ id, name, tag }) => (id < 0n && tag === '' ? { name, tag: null } : null),
    { id: -4_711_005, tag: '' },
    'MUST',
  ),
  answering(
    'mixes-encodings',
    'A tag beyond ASCII beside a name beyond ASCII is read as Latin-1.',
    /response\/200\/echo\/tag/,
    ({ name, tag }) =>
      /[^\x00-\x7f]/.test(name) && /[^\x00-\x7f]/.test(tag ?? '')
        ? { name, tag: Buffer.from(tag ?? '').toString('latin1') }
        : null,
    { name: 'Aloë', tag: 'groß' },
  ),
  answering(
    'cuts-long-tags-of-empty-names',
    'A tag of 64 characters or more beside an empty name is cut.',
    /response\/200\/echo\/tag/,
    ({ name, tag }) => (name === '' && isLong(tag) ? { name, tag: tag?.slice(0, 32) } : null),
    { name: '', tag: long },
  ),
  row(
    'creates-negative-ids-without-tag-with-201',
    'A plant with a negative id and without a tag gets a 201.',
    /response\/declared|request\//,
    {
      respond: response =>
        response.cause === 'none' && response.plant?.tag === undefined && (response.plant?.id ?? 0n) < 0n
          ? { ...response, status: 201 }
          : response,
    },
    { witness: inTurn(plant({ id: -4_711_006, tag: undefined })) },
  ),
  row(
    'answers-large-ids-without-tag-in-a-list',
    'A plant with an id beyond int32 and without a tag comes in a list.',
    /response\/200\/body/,
    {
      respond: response =>
        response.cause === 'none' &&
        response.plant?.tag === undefined &&
        (response.plant?.id ?? 0n) > 2n ** 31n
          ? withJson(response, 200, [{ name: response.plant?.name }])
          : response,
    },
    { witness: inTurn(plant({ id: 3_000_000_002, tag: undefined })) },
  ),
]
