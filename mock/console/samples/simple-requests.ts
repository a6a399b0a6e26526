import {
  bodyMedia,
  type Contract,
  type Json,
  type JsonObject,
  type Operation,
  operationContext,
  placesOf,
  plainValue,
  type SchemaPlace,
  setAt,
  valueAt,
} from '../../../spec/index.ts'
import type { RequestSpec } from './sample-request.ts'

export type TitledSpec = { readonly title: string; readonly spec: RequestSpec }

/** The value of strings for which the document gives no example. */
const label = 'Sample'

/** Requests made from the examples in the document and from the simplest values that its schemas allow. */
export const simpleRequestSpecs = (contract: Contract, operation: Operation): readonly TitledSpec[] => {
  const { body } = operationContext(contract, operation)
  const values = operation.parameters.map(({ name, required, schema }) => ({
    name,
    required,
    value: schema === null ? label : exampleValue(placesOf(contract.requests.document, schema)),
  }))
  const allParameters: JsonObject = Object.fromEntries(values.map(({ name, value }) => [name, value]))
  const parameters: JsonObject = Object.fromEntries(
    values.filter(({ required }) => required).map(({ name, value }) => [name, value]),
  )
  const requiredBody = body === null ? undefined : exampleValue(body.root)
  const fullBody =
    body === null ? undefined : withOptionalProperties(contract, body.root, requiredBody ?? null)
  const media = bodyMedia(operation)
  const examples = media === null ? [] : examplesAt(contract, media.pointer)
  return [
    ...examples.map(({ name, value }) => ({
      title: `example from the document${name === '' ? '' : `: ${name}`}`,
      // An example of XML or multipart may be the text that is sent.
      spec:
        typeof value === 'string' && body?.root.types?.includes('string') !== true && body?.in === 'form'
          ? { parameters, body: undefined, text: value }
          : { parameters, body: value },
    })),
    { title: 'all parameters and properties', spec: { parameters: allParameters, body: fullBody } },
    { title: 'required parameters and properties only', spec: { parameters, body: requiredBody } },
    ...(operation.body?.required === false
      ? [{ title: 'without a body', spec: { parameters, body: undefined } }]
      : []),
  ]
}

/** `example` and `examples` of a media type. */
const examplesAt = (
  { document }: Contract,
  pointer: string,
): readonly { readonly name: string; readonly value: Json }[] => {
  const media = valueAt(document, pointer) as
    | { example?: Json; examples?: Record<string, { value?: Json }> }
    | undefined
  return [
    ...(media?.example === undefined ? [] : [{ name: '', value: media.example }]),
    ...Object.entries(media?.examples ?? {}).flatMap(([name, { value }]) =>
      value === undefined ? [] : [{ name, value }],
    ),
  ]
}

/** The simplest value that a schema allows, with the examples and defaults that its parts declare. */
const exampleValue = (place: SchemaPlace): Json => {
  const whole = declaredExample(place)
  if (whole !== undefined) return whole
  return place.children.reduce(
    (value, child) => {
      const example = child.pattern.includes('*') ? undefined : declaredExample(child)
      const isPresent = valueAt(value, child.pattern) !== undefined
      return example === undefined || !isPresent ? value : setAt(value, child.pattern, example)
    },
    plainValue(place, null, label),
  )
}

const declaredExample = ({ keywords }: SchemaPlace): Json | undefined => {
  const value = (keyword: string): unknown => keywords.find(use => use.keyword === keyword)?.value
  const examples = value('examples')
  return (value('example') ?? (Array.isArray(examples) ? examples[0] : undefined) ?? value('default')) as
    | Json
    | undefined
}

/** Adds each optional property with which the value stays valid. */
const withOptionalProperties = (contract: Contract, root: SchemaPlace, required: Json): Json =>
  root.children
    .filter(({ pattern }) => !pattern.endsWith('/*') && valueAt(required, pattern) === undefined)
    .reduce((value, child) => {
      const extended = setAt(value, child.pattern, exampleValue(child))
      const isValid = root.schemas.every(
        schema => contract.requests.schemas.validator(schema)(extended).length === 0,
      )
      return isValid ? extended : value
    }, required)
