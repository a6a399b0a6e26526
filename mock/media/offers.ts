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
} from '../../spec/index.ts'
import type { Examples } from '../values/examples.ts'

/** A media type in which the mock can respond, and the declared response without the others. */
export type Offer = { readonly type: string; readonly response: DeclaredResponse }

export const isJson = ({ type }: Media): boolean => isJsonMedia(mediaType(type) ?? '')

export const isRange = ({ type }: Media): boolean => type.includes('*')

/** The media type of a response that nobody chose: the first that is JSON, else the first. */
export const mediaOf = ({ media }: DeclaredResponse): Media | null => {
  const concrete = media.map(concreteMedia)
  return concrete.find(each => each.schema !== null && isJson(each)) ?? concrete[0] ?? null
}

/** The media type itself; for a range the one that it stands for, as no response can have a range as its type. */
export const concreteMedia = (media: Media): Media =>
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
export const isWritable = ({ responses }: Contract, examples: Examples, media: Media): boolean => {
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
export const offerOf = (declared: DeclaredResponse, media: Media): Offer => ({
  type: media.type,
  response:
    declared.media.length === 1 && declared.media[0] === media ? declared : { ...declared, media: [media] },
})
