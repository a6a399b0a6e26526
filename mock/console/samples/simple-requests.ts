import {
  bodyMedia,
  type Contract,
  credentialKinds,
  isOfBody,
  type Json,
  type JsonObject,
  malformedKinds,
  type Operation,
  operationContext,
  placeholder,
  placesOf,
  plainValue,
  type SchemaPlace,
  type Subject,
  setAt,
  step,
  valueAt,
  writeJson,
} from '../../../spec/index.ts'
import { spoilt } from '../../mutants/invalidate.ts'
import type { MutationContext } from '../../mutants/mutation.ts'
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

/** Requests made from a valid one that may violate an obligation. The caller has them judged. */
export const invalidRequestSpecs = (
  { contract, operation }: Pick<MutationContext, 'contract' | 'operation'>,
  subject: Subject,
  valid: RequestSpec,
): readonly RequestSpec[] => {
  switch (subject.kind) {
    case 'keyword': {
      const { location, keyword, detail } = subject
      const place = keyword === 'required' ? step(location.place, detail) : location.place
      if (isOfBody(location)) {
        const { body } = operationContext(contract, operation)
        if (body === null || valid.body === undefined) return []
        return spoilt(body.root, valid.body, { place, keyword }).map(value => ({ ...valid, body: value }))
      }
      const parameter = operation.parameters.find(
        parameter => parameter.name === location.name && parameter.in === location.in,
      )
      if (parameter?.schema == null) return []
      const root = placesOf(contract.requests.document, parameter.schema)
      const value = valid.parameters[location.name] ?? plainValue(root, null, 'Sample')
      return spoilt(root, value, { place, keyword }).map(invalid => ({
        ...valid,
        parameters: { ...valid.parameters, [location.name]: invalid },
      }))
    }
    case 'malformed': {
      const kind = malformedKinds.find(({ name }) => name === subject.name)
      const bytes = kind?.make(writeJson(valid.body ?? {}), 0) ?? new Uint8Array()
      const text = Buffer.from(bytes).toString()
      // The form can only hold text.
      return Buffer.from(text).equals(bytes) && !text.includes('\0') ? [{ ...valid, text }] : []
    }
    case 'no-body':
      return subject.name === 'absent'
        ? [{ ...valid, body: undefined, contentType: null }]
        : [{ ...valid, text: subject.name === 'empty' ? '' : '{}' }]
    case 'media':
      return subject.isAccepted ? [] : subject.contentTypes.map(contentType => ({ ...valid, contentType }))
    case 'missing-parameter': {
      const { [subject.location.name]: _, ...parameters } = valid.parameters
      return [{ ...valid, parameters }]
    }
    case 'displaced':
      return valid.body === undefined ? [] : [{ ...valid, body: { data: valid.body } }]
    case 'credentials':
      return subject.isAccepted ? [] : wrongCredentials(operation, subject.name, valid)
    default:
      return []
  }
}

const wrongCredentials = (operation: Operation, name: string, valid: RequestSpec): readonly RequestSpec[] => {
  const kind = credentialKinds(operation).find(kind => kind.name === name)
  if (kind === undefined || kind.extra.length > 0 || kind.invalidBody || kind.afterAccepted) return []
  // The page fills in these placeholders only.
  const fillable = [placeholder('right'), placeholder('basic')]
  const isFillable = (value: string): boolean =>
    !fillable.reduce((text, form) => text.replaceAll(form, ''), value).includes('{{')
  return (
    kind.variants
      .filter(values => values.every(isFillable))
      // A mock that accepts any token cannot know which part of these is one.
      .filter(values => !kind.needsToken || values.every(value => !value.includes('{{')))
      .map(credentials => ({ ...valid, credentials }))
  )
}
