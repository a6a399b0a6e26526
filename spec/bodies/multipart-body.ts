import type { BodyFormat, BodyPart } from '../contract/operation.ts'
import { type FormPart, readMultipart, writeMultipart } from '../http/multipart.ts'
import { isArray, isObject, type Json, type JsonObject, writeJson } from '../json/json.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { memberPlace, variantsOf } from '../schema/variants.ts'
import { anyOf, fitting, readFound, withEmpties } from '../serialization/read-text.ts'
import { bytesOf, latin1, utf8Text } from '../text/latin1.ts'
import { fileName } from './sample-files.ts'
import { type BodyReading, readText, readValue, writeValue } from './value-body.ts'

type Multipart = Extract<BodyFormat, { kind: 'multipart' }>

/** The value in the parts, by the alternative of its schema that it fits: each is a property, in the order of the body. */
export const readParts = (
  { parts: declared, root }: Multipart,
  body: Uint8Array,
  contentType: string | null,
): BodyReading => {
  const reading = readMultipart(body, contentType)
  if (!reading.ok) return reading
  const readings: Json[] = []
  for (const variant of variantsOf(root)) {
    const value = partsAs(variant, declared, reading.parts)
    if (typeof value === 'string') return { ok: false, problem: value }
    readings.push(value)
  }
  return { ok: true, value: fitting(root, readings), parts: reading.parts }
}

/** What cannot be read is told as a text. */
const partsAs = (
  root: SchemaPlace,
  declared: readonly BodyPart[],
  parts: readonly FormPart[],
): JsonObject | string => {
  const members = new Map<string, Json>()
  for (const [name, sent] of Map.groupBy(parts, part => part.name)) {
    const spec = declared.find(each => each.name === name)
    const values = sent.map(part => (spec === undefined ? undeclared(part) : partValue(spec, part)))
    if (values.includes(undefined)) return `the part ${name.slice(0, 80)} is not UTF-8`
    members.set(name, memberOf(memberPlace(root, name), spec ?? null, values as readonly Json[]))
  }
  // Of a list without items there is no part.
  return withEmpties(root, Object.fromEntries(members), name =>
    declared.some(part => part.name === name && part.isList),
  )
}

/** The value of the parts of one name. Several of what is no list are one all the same, which is then of a wrong type. */
const memberOf = (place: SchemaPlace | null, spec: BodyPart | null, values: readonly Json[]): Json => {
  if (place === null) return values.length === 1 && spec?.isList !== true ? (values[0] as Json) : values
  if (spec === null || spec.format.kind === 'text')
    return readFound(place, {
      lists: () => [values.map(String)],
      members: () => undefined,
      texts: () => anyOf(values.map(String)),
      whole: values,
    })
  return spec.isList || values.length > 1 ? fitting(place, [values, ...anyOf(values)]) : (values[0] as Json)
}

const undeclared = ({ content, filename }: FormPart): Json | undefined =>
  filename === null ? (utf8Text(bytesOf(content)) ?? undefined) : content

/** The value of a part, whose texts are not yet typed; a text if it cannot be read as what it should be. Undefined: not even that. */
const partValue = ({ format }: BodyPart, { content, contentType }: FormPart): Json | undefined => {
  if (format.kind === 'binary') return content
  const bytes = bytesOf(content)
  // Browsers and others write UTF-8 without saying so.
  const type = contentType ?? 'text/plain; charset=utf-8'
  const reading = format.kind === 'text' ? readText(bytes, type) : readValue(format, bytes, type)
  return reading.ok ? reading.value : (utf8Text(bytes) ?? undefined)
}

/** What the parts of a body may have instead of what the contract says. */
export type PartChange = {
  readonly name: string
  readonly contentType?: string
  /** A header that it does not have. */
  readonly without?: string
}

/** Writes a value as parts; `boundary`: null for the usual one. */
export const writeParts = (
  { parts: declared }: Multipart,
  value: Json,
  { boundary, change }: { readonly boundary: string | null; readonly change: PartChange | null },
): ReturnType<typeof writeMultipart> => {
  const parts = Object.entries(isObject(value) ? value : {}).flatMap(
    ([name, member]): readonly FormPart[] => {
      const spec = declared.find(part => part.name === name)
      const items = isArray(member) && (spec === undefined || spec.isList) ? member : [member]
      return items.map(item => {
        const part = spec === undefined ? plainPart(name, item) : declaredPart(spec, item)
        return change?.name === name ? changed(part, change) : part
      })
    },
  )
  return writeMultipart(parts, boundary ?? undefined)
}

const changed = (part: FormPart, { contentType, without }: PartChange): FormPart => ({
  ...part,
  contentType: contentType ?? part.contentType,
  headers: part.headers.filter(([name]) => name.toLowerCase() !== without?.toLowerCase()),
})

const utf8 = new TextEncoder()

const plainPart = (name: string, value: Json): FormPart => ({
  name,
  filename: null,
  contentType: null,
  headers: [],
  content: latin1(
    utf8.encode(typeof value === 'string' ? value.toWellFormed() : value === null ? '' : writeJson(value)),
  ),
})

const declaredPart = ({ name, format, contentType, sent }: BodyPart, value: Json): FormPart => {
  const content = latin1(writeValue(format, value))
  const filename = format.kind === 'binary' ? fileName(contentType, content) : null
  return { name, filename, contentType, headers: sent, content }
}
