import { readBody } from '../bodies/body-codec.ts'
import { decodedBody } from '../http/content-encoding.ts'
import { type HttpResponse, header } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import { type BodySchema, type BodyViolation, echoesBroken, schemaViolations } from './response-body.ts'

const text = ['encoding', 'text', 'with a body that is not text'] as const

const expectations = {
  text,
  json: text,
  form: text,
  xml: ['xml', 'the declared XML', 'with a body that is not the declared XML'],
  multipart: [
    'multipart',
    'parts behind the boundary of the Content-Type',
    'with a body that is not in parts',
  ],
} as const

/** What a body in XML, in parts, of a form, or a text, breaks. */
export const textViolations = (
  schema: BodySchema,
  response: HttpResponse,
  sent: Json | undefined,
): readonly BodyViolation[] => {
  const { format } = schema
  if (format === null) return []
  const [name, expected, title] = expectations[format.kind]
  const aspect = { aspect: name }
  const decoded = decodedBody(response)
  if ('problem' in decoded) return [{ aspect, expected, actual: decoded.problem, title }]
  const reading = readBody(format, decoded, header(response.headers, 'content-type'))
  if (!reading.ok) return [{ aspect, expected, actual: reading.problem, title }]
  const broken = schema.validate(reading.value)
  return [
    ...schemaViolations(schema, broken, reading.value),
    ...echoesBroken(schema, broken, reading.value, sent),
  ]
}
