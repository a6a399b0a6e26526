import {
  isArray,
  isObject,
  type Json,
  type OperationContext,
  sampleFile,
  setAt,
  step,
  writtenAs,
} from '../../spec/index.ts'
import type { OperationModel } from './operation-model.ts'

type Body = NonNullable<OperationContext['body']>

/** The value with a small file of the declared type in each part that is one, as servers may look into them. */
export const withFiles = (
  { body, isValidBody }: Pick<OperationModel, 'body' | 'isValidBody'>,
  value: Json,
): Json => {
  if (body === null || body.format.kind === 'json' || body.format.kind === 'form') return value
  return filesOf(body).reduce<Json>((rest, { name, file, isList }) => {
    const before = name === null || !isObject(rest) ? undefined : rest[name]
    if (name !== null && before === undefined) return rest
    const content = isList && isArray(before) ? before.map(() => file) : file
    const changed = name === null ? content : setAt(rest, step('', name), content)
    // One of the wrong length is none.
    return isValidBody(rest) && !isValidBody(changed) ? rest : changed
  }, value)
}

/** Whether a place of the body is a file of a known type, and not any bytes. */
export const isFile = (body: Body, name: string): boolean =>
  writtenAs(body.format, step('', name)) === 'binary'

/** Whether a body has such files. */
export const hasFiles = ({ body }: Pick<OperationModel, 'body'>): boolean =>
  body !== null && filesOf(body).length > 0

type File = { readonly name: string | null; readonly file: string; readonly isList: boolean }

const filesOf = (body: Body): readonly File[] => {
  const known = files.get(body) ?? listFiles(body)
  files.set(body, known)
  return known
}

const files = new WeakMap<Body, readonly File[]>()

/** What the path, or the name of a part, calls the picture that it takes. */
const picture = /image|picture|photo|avatar|logo|icon|thumbnail|banner/i

/** A file of a media type; of any bytes, a picture if they are called that. */
const fileOf = (type: string, called: string): string | undefined =>
  sampleFile(type) ??
  (/^(?:application\/octet-stream)?$/.test(type) && picture.test(called)
    ? sampleFile('image/png')
    : undefined)

const listFiles = ({ format, media }: Body): readonly File[] => {
  if (format.kind === 'binary') {
    const file = fileOf(media.type, media.pointer)
    return file === undefined ? [] : [{ name: null, file, isList: false }]
  }
  if (format.kind !== 'multipart') return []
  return format.parts.flatMap(part => {
    const called = `${media.pointer} ${part.name}`
    const file = part.format.kind === 'binary' ? fileOf(part.contentType ?? '', called) : undefined
    return file === undefined ? [] : [{ name: part.name, file, isList: part.isList }]
  })
}
