import {
  type Contract,
  type DeclaredResponse,
  header,
  isArray,
  isNumber,
  isObject,
  type Json,
  mediaType,
  numberText,
  type RecordedOutcome,
  readJson,
  recordedBytes,
  valueAt,
} from '../../spec/index.ts'

/** What is compared of a response, each as a text: `status` → 400, `error code` → error 7, `header ETag` → present. */
export type Aspects = ReadonlyMap<string, string>

/** Headers that HTTP gives a meaning for clients, whether the contract names them or not. */
const known = ['Allow', 'Retry-After', 'WWW-Authenticate']

export const aspectsOf = (
  contract: Contract,
  declared: DeclaredResponse | null,
  outcome: RecordedOutcome,
): Aspects => {
  if (outcome.kind === 'failure') return new Map([['status', outcome.failure]])
  const { status, headers } = outcome
  const aspects = new Map([
    ['status', String(status)],
    ['media type', mediaType(header(headers, 'content-type')) ?? 'none'],
  ])
  for (const { name, schema } of declared?.headers ?? [])
    aspects.set(`header ${name}`, headerText(header(headers, name.toLowerCase()), isListed(contract, schema)))
  for (const name of known)
    if (!aspects.has(`header ${name}`))
      aspects.set(`header ${name}`, headerText(header(headers, name.toLowerCase()), name === 'Allow'))
  const body = status < 400 ? undefined : bodyOf(outcome)
  if (body !== undefined) aspects.set('error code', codesIn(body))
  return aspects
}

/** Values are compared only where the contract lists them: any other may differ, as a date does. */
const headerText = (value: string | null, isValue: boolean): string => {
  if (value === null) return 'absent'
  return isValue ? value : 'present'
}

const isListed = ({ document }: Contract, schema: string | null): boolean => {
  const node = schema === null ? undefined : valueAt(document, schema)
  return isObject(node as Json) && ('enum' in (node as object) || 'const' in (node as object))
}

/** The body as JSON; undefined if it is none, or not recorded whole. */
export const bodyOf = (outcome: RecordedOutcome): Json | undefined => {
  const bytes = outcome.kind === 'response' ? recordedBytes(outcome.body) : null
  const reading = bytes === null ? null : readJson(bytes)
  return reading?.ok === true ? reading.value : undefined
}

/** Names that documents give the code of a failure. */
const codeNames = /^(?:code|error|err|errno|error_?code|type|kind|reason)$/i
const mostCodes = 6

/** `error 7, details code TOO_LONG`: the numbers and the words in a failure by which programs tell it from others. */
const codesIn = (body: Json): string => {
  const codes: string[] = []
  const look = (value: Json, names: readonly string[], depth: number): void => {
    if (isArray(value)) for (const item of value.slice(0, 1)) look(item, names, depth)
    if (!isObject(value) || depth === 0) return
    for (const [name, each] of Object.entries(value)) {
      const isWord = typeof each === 'string' && codeNames.test(name) && /^[\w.:/-]{1,64}$/.test(each)
      const label = [...names, name].join(' ')
      if (isNumber(each)) codes.push(`${label} ${numberText(each)}`)
      else if (isWord) codes.push(`${label} ${each}`)
      else look(each, [...names, name], depth - 1)
    }
  }
  look(body, [], 2)
  return codes.slice(0, mostCodes).join(', ') || 'none'
}
