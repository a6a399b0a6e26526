import Negotiator from 'negotiator'
import {
  type Contract,
  type DeclaredResponse,
  formatOf,
  isJsonMedia,
  isObject,
  type Media,
  mediaType,
  placesOf,
  sampleFile,
  streamKindOf,
  takesMedia,
  whereText,
} from '../../spec/index.ts'
import type { Examples } from '../values/examples.ts'

/** Chooses the media type of a response by the header Accept (RFC 9110, 12.5.1). */
export type Negotiation = {
  /**
   * The declared response with the media type that the client likes best; null: it accepts none that the mock can write.
   * `accept` null: the client does not say. `example`: only media types that have an example of this name, if any has.
   */
  readonly negotiate: (
    declared: DeclaredResponse,
    accept: string | null,
    example?: string | null,
  ) => DeclaredResponse | null
  /** Whether there is something to choose from, so that responses to other requests may differ. */
  readonly varies: (declared: DeclaredResponse) => boolean
}

/** What is known of a declared response: its offers, the usual one first, and what clients chose so far. */
type Known = {
  readonly offers: readonly Offer[]
  readonly ranges: readonly Media[]
  readonly unwritable: readonly Media[]
  readonly chosen: Map<string, DeclaredResponse | null>
}

/** Different headers that are remembered for a response: clients send a few. */
const mostChosen = 100

export const createNegotiation = (
  contract: Contract,
  examples: Examples,
  warn: (message: string) => void,
): Negotiation => {
  const known = new WeakMap<DeclaredResponse, Known>()
  const warned = new Set<string>()
  const knownOf = (declared: DeclaredResponse): Known => {
    const found = known.get(declared) ?? compile(contract, examples, declared)
    known.set(declared, found)
    return found
  }
  const warnOnce = (declared: DeclaredResponse, accept: string, unwritable: readonly Media[]): void => {
    for (const media of unwritable.filter(({ type }) => best(accept, [type]) !== null)) {
      const text = `the mock cannot make ${media.type} of the response ${declared.status} at ${whereText(contract.place(media.pointer))}: add an example of it to the document`
      if (!warned.has(text)) warn(text)
      warned.add(text)
    }
  }
  return {
    varies: ({ media: [first, second] }) => second !== undefined || (first !== undefined && isRange(first)),
    negotiate: (declared, accept, example = null) => {
      const isUsual = accept === null || accept === '*/*' || accept === ''
      const [first, second] = declared.media
      if (first === undefined) return declared
      // Most responses and most clients: there is nothing to choose, and nothing to remember.
      if (second === undefined && accept === first.type) return declared
      if (second === undefined && isUsual && first.type === 'application/json') return declared
      const { offers, ranges, unwritable, chosen } = knownOf(declared)
      const key = JSON.stringify([example, accept])
      const before = chosen.get(key)
      if (before !== undefined) return before
      const usable = example === null ? offers : withExample(examples, offers, example)
      const isMade = (media: Media): boolean => isWritable(contract, examples, media)
      const all = isUsual ? usable : [...usable, ...offersInRanges(declared, ranges, accept, isMade)]
      const type = isUsual ? usable[0]?.type : best(accept, all.flatMap(spellings))
      const found = all.find(offer => type !== undefined && type !== null && spellings(offer).includes(type))
      if (found === undefined) warnOnce(declared, accept ?? '*/*', unwritable)
      if (chosen.size >= mostChosen) chosen.clear()
      const response = found?.response ?? (isUsual ? declared : null)
      chosen.set(key, response)
      return response
    },
  }
}

const compile = (contract: Contract, examples: Examples, declared: DeclaredResponse): Known => {
  const writable = declared.media.map(concreteMedia).filter(media => isWritable(contract, examples, media))
  const usual = mediaOf({ ...declared, media: writable })
  const sorted = [...writable].sort(
    (left, right) => Number(right.pointer === usual?.pointer) - Number(left.pointer === usual?.pointer),
  )
  return {
    offers: sorted.map(media => offerOf(declared, media)),
    ranges: declared.media.filter(isRange),
    unwritable: declared.media.filter(({ pointer }) => writable.every(media => media.pointer !== pointer)),
    chosen: new Map(),
  }
}

const withExample = (examples: Examples, offers: readonly Offer[], name: string): readonly Offer[] => {
  const having = offers.filter(({ response }) =>
    response.media.some(({ pointer }) => examples.names(pointer).includes(name)),
  )
  return having.length === 0 ? offers : having
}

/** The types that a client names and a declared range takes: `image/webp` where `image/*` is declared. */
const offersInRanges = (
  declared: DeclaredResponse,
  ranges: readonly Media[],
  accept: string,
  isMade: (media: Media) => boolean,
): readonly Offer[] =>
  ranges.length === 0
    ? []
    : named(accept).flatMap(type =>
        ranges
          .filter(range => takesMedia(range.type, type))
          .map(range => ({ ...range, type }))
          .filter(isMade)
          .map(media => offerOf(declared, media)),
      )

const negotiator = (accept: string): Negotiator => new Negotiator({ headers: { accept } })

const named = (accept: string): readonly string[] =>
  negotiator(accept)
    .mediaTypes()
    .map(type => type.toLowerCase())
    .filter(type => /^[\w.+-]+\/[\w.+-]+$/.test(type))

/** The mock writes UTF-8, so `text/csv;charset=utf-8` asks for what is declared as `text/csv`. */
const spellings = ({ type }: Offer): readonly string[] =>
  /;\s*charset=/i.test(type) ? [type] : [type, `${type};charset=utf-8`]

const best = (accept: string, types: readonly string[]): string | null =>
  negotiator(accept).mediaTypes([...types])[0] ?? null

/** A media type in which the mock can respond, and the declared response without the others. */
type Offer = { readonly type: string; readonly response: DeclaredResponse }

export const isJson = ({ type }: Media): boolean => isJsonMedia(mediaType(type) ?? '')

const isRange = ({ type }: Media): boolean => type.includes('*')

/** The media type of a response that nobody chose: the first that is JSON, else the first. */
export const mediaOf = ({ media }: DeclaredResponse): Media | null => {
  const concrete = media.map(concreteMedia)
  return concrete.find(each => each.schema !== null && isJson(each)) ?? concrete[0] ?? null
}

/** The media type itself; for a range the one that it stands for, as no response can have a range as its type. */
const concreteMedia = (media: Media): Media =>
  isRange(media) ? { ...media, type: likelyType(media) } : media

const likelyType = ({ type }: Media): string => {
  const [kind = ''] = (mediaType(type) ?? '').split('/')
  return likelyTypes[kind] ?? 'application/json'
}

const likelyTypes: Readonly<Record<string, string>> = {
  text: 'text/plain',
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
}

/** Whether the mock can write a value under a media type: in a format that it knows, as an example that is a text, or as a scalar. */
const isWritable = ({ responses }: Contract, examples: Examples, media: Media): boolean => {
  if (media.schema === null || streamKindOf(media.type) !== null) return true
  if (formatOf(responses.document, media.pointer, media.type, true).kind !== 'opaque') return true
  // Of XML an empty element would do, but JSON tells a client more.
  if (sampleFile(media.type) !== undefined && !media.type.endsWith('xml')) return true
  const example = examples.named(media.pointer, media.type, null)
  if (example !== undefined) return !isObject(example) && !Array.isArray(example)
  const types = placesOf(responses.document, media.schema).readAs
  return types === null || types.some(type => type !== 'object' && type !== 'array')
}

/** The declared response with one of its media types only. */
const offerOf = (declared: DeclaredResponse, media: Media): Offer => ({
  type: media.type,
  response:
    declared.media.length === 1 && declared.media[0] === media ? declared : { ...declared, media: [media] },
})
