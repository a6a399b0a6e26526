import {
  contextOf,
  credentialKinds,
  hasPresent,
  hasValue,
  header,
  identityOf,
  isArray,
  isIntegerSpelling,
  isNumber,
  isObject,
  isReordered,
  type Json,
  type JsonObject,
  type Layout,
  listPlaces,
  numberText,
  placesOf,
  type Subject,
  takesBranch,
  testedScheme,
  valuesAt,
} from '../../spec/index.ts'
import { identityNameOf } from '../identity-name.ts'
import type { Asked, Scene } from './breaker.ts'
import { isVariant } from './variant.ts'

/** Whether a valid request is of the kind that an obligation to accept is about. */
export const isOfKind = (scene: Scene, subject: Subject, asked: Asked): boolean => {
  switch (subject.kind) {
    case 'presence':
      return isPresent(scene, subject.present, asked)
    case 'value':
      return hasValue(subject, asked) || isRespelled(subject, asked)
    case 'branch':
      return takesBranch(scene.contract, subject, asked)
    case 'layout':
      return layouts[subject.layout](scene, asked)
    case 'framing':
      return header(asked.request.headers, 'transfer-encoding') !== null
    case 'size': {
      const size = asked.request.body?.length ?? 0
      return size >= subject.bytes && size < 2 * subject.bytes
    }
    case 'media':
      return subject.accepted && subject.contentTypes.includes(header(asked.request.headers, 'content-type'))
    case 'credentials':
      return subject.accepted && isSpelled(scene, subject.name, asked)
    default:
      return false
  }
}

const isSpelled = ({ operation, tokens }: Scene, name: string, asked: Asked): boolean => {
  const scheme = testedScheme({ operation })
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (scheme === null || kind === undefined) return false
  return (tokens ?? []).some(token => isVariant(kind, scheme, token, asked))
}

const isPresent = ({ contract, operation }: Scene, present: readonly string[], { body }: Asked): boolean => {
  const { root } = contextOf(contract, operation).body ?? {}
  return root !== undefined && hasPresent(root, present, body)
}

/** An identity is never sent twice: other spellings of integers are of a fresh one there. */
const isRespelled = ({ name, where }: Extract<Subject, { kind: 'value' }>, asked: Asked): boolean => {
  if (!isIntegerSpelling(name)) return false
  const spelling = name === 'decimal-form' ? /^-?\d{5,}\.0+$/ : /^-?\d{5,}e[+-]?0+$/i
  return valuesAt(asked, where).some(value => isNumber(value) && spelling.test(numberText(value)))
}

const textOf = ({ request }: Asked): string => Buffer.from(request.body ?? []).toString()
const outsideStrings = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/gs, '""').trim()

const layouts: Readonly<Record<Layout, (scene: Scene, asked: Asked) => boolean>> = {
  whitespace: (_scene, asked) => /\s/.test(outsideStrings(textOf(asked))),
  'escaped-names': (_scene, asked) => /\\u00[2-7][^"]*"\s*:/.test(textOf(asked)),
  'escaped-values': (_scene, asked) => /\\u00[2-7][^"]*"\s*(?!\s*:)[,}\]]/.test(textOf(asked)),
  'key-order': ({ contract, operation }, { body }) => {
    const { root } = contextOf(contract, operation).body ?? {}
    return root !== undefined && isReordered(root, body, identityOf(operation, root)?.name ?? null)
  },
}

/** Whether a request has a text or number in it that nobody would write first: long, with signs, or far from zero. */
export const isUnusual = (scene: Scene, { body, parameters }: Asked): boolean => {
  const { operation } = scene
  if (operation.parameters.length === 0 && operation.body === null) return true
  const leaves = [...leavesOf(withoutIdentity(scene, body)), ...leavesOf(parameters)]
  return leaves.some(leaf =>
    typeof leaf === 'string'
      ? !/^[\w ./:@-]{0,80}$/.test(leaf)
      : isNumber(leaf) && !/^-?\d{1,2}$/.test(numberText(leaf)),
  )
}

/** Whether there can be such a text or number: a pattern or a format allows none. */
export const mayBeUnusual = ({ contract, operation }: Scene): boolean => {
  const { body } = contextOf(contract, operation)
  const parameters = operation.parameters.flatMap(({ schema }) =>
    schema === null ? [] : listPlaces(placesOf(contract.document, schema)),
  )
  const places = [...(body?.places ?? []), ...parameters]
  if (places.length === 0) return true
  return places.some(({ schemas, types }) => {
    const validators = schemas.map(contract.schemas.validator)
    return unusual.some(
      value =>
        (types === null || types.includes(typeof value === 'string' ? 'string' : 'integer')) &&
        validators.every(validate => validate(value).length === 0),
    )
  })
}

const unusual: readonly Json[] = ['~', 'x'.repeat(81), '<<<<<<<<<<<<<<<<<<<<', 100, 12_345, -12_345]

const withoutIdentity = ({ contract, operation }: Scene, body: Json | undefined): Json | undefined => {
  const name = identityNameOf({ contract, operation })
  if (name === undefined || !isObject(body)) return body
  const { [name]: _, ...rest } = body as Record<string, Json>
  return rest
}

const leavesOf = (value: Json | JsonObject | undefined): readonly Json[] => {
  if (value === undefined) return []
  if (isArray(value)) return value.flatMap(leavesOf)
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [value]
}
