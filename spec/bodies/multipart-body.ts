import type { BodyFormat, BodyPart } from '../contract/operation.ts'
import { type FormPart, readMultipart, writeMultipart } from '../http/multipart.ts'
import { isArray, isObject, type Json, writeJson } from '../json/json.ts'
import { bytesOf, latin1, utf8Text } from '../text/latin1.ts'
import { type BodyReading, readValue, writeValue } from './value-body.ts'

type Multipart = Extract<BodyFormat, { kind: 'multipart' }>

/** The value in the parts: each is a property, in the order of the body. */
export const readParts = (
  { parts: declared }: Multipart,
  body: Uint8Array,
  contentType: string | null,
): BodyReading => {
  const reading = readMultipart(body, contentType)
  if (!reading.ok) return reading
  const members = new Map<string, { readonly spec: BodyPart | undefined; readonly values: Json[] }>()
  for (const part of reading.parts) {
    const { name } = part
    const member = members.get(name) ?? { spec: declared.find(each => each.name === name), values: [] }
    const value = member.spec === undefined ? undeclared(part) : partValue(member.spec, part)
    if (value === undefined) return { ok: false, problem: `the part ${name.slice(0, 80)} is not UTF-8` }
    member.values.push(value)
    members.set(name, member)
  }
  const value = Object.fromEntries(
    [...members].map(([name, { spec, values }]) => [
      name,
      // Several of what is no list are one all the same, which is then of a wrong type.
      spec?.isList !== true && values.length === 1 ? (values[0] as Json) : values,
    ]),
  )
  return { ok: true, value, parts: reading.parts }
}

const undeclared = ({ content, filename }: FormPart): Json | undefined =>
  filename === null ? (utf8Text(bytesOf(content)) ?? undefined) : content

/** The value of a part; a text if it cannot be read as what it should be. Undefined: not even that. */
const partValue = ({ format }: BodyPart, { content, contentType }: FormPart): Json | undefined => {
  if (format.kind === 'binary') return content
  const bytes = bytesOf(content)
  // Browsers and others write UTF-8 without saying so.
  const reading = readValue(format, bytes, contentType ?? 'text/plain; charset=utf-8')
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

const declaredPart = ({ name, format, contentType, sent }: BodyPart, value: Json): FormPart => ({
  name,
  filename: format.kind === 'binary' ? `file${endings[contentType ?? ''] ?? ''}` : null,
  contentType,
  headers: sent,
  content: latin1(writeValue(format, value)),
})

/** Some servers look at the name of a file. */
const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'application/pdf': '.pdf',
  'application/xml': '.xml',
  'text/csv': '.csv',
  'text/plain': '.txt',
}
