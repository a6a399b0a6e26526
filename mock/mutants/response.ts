import {
  createResponseJudge,
  type DeclaredResponse,
  header,
  isObject,
  isRejection,
  isSuccess,
  type Json,
  type JudgedMedia,
  judgedMedia,
  limitHeaderOf,
  mediaType,
  type Operation,
  parseJson,
  problemType,
  type RequestPart,
  type ResponseAspect,
  rateLimitNames,
  rawNumber,
  readBody,
  rejectionStatuses,
  responseFor,
  writeBody,
  writeJson,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { type MockResponse, statusOf, withHeader } from '../engine/compiled-response.ts'
import { indistinguishable, isDistinguishable } from './accept.ts'
import { corruptChallenge } from './challenge.ts'
import { otherValues, spoilt } from './invalidate.ts'
import { isValid, type Mutant, type MutationContext, type Unbreakable } from './mutation.ts'

/** Sends responses that break one rule. */
export const corruptResponse = async (
  context: MutationContext,
  aspect: ResponseAspect,
): Promise<Mutant | Unbreakable> => {
  switch (aspect.aspect) {
    case 'declared':
      return undeclaredStatus(context)
    case 'challenge':
      return corruptChallenge(context)
    default:
      return corruptDeclared(context, aspect)
  }
}

/** An undeclared success for some valid requests. */
const undeclaredStatus = (context: MutationContext): Mutant | Unbreakable => {
  const status = [299, 399].find(candidate => responseFor(context.operation, candidate) === null)
  if (status === undefined) return { reason: 'every status is declared' }
  const alike = indistinguishable(context)
  if (alike !== null) return alike
  return async (input, { usual }) => {
    const response = await usual()
    return input !== null && isValid(input) && isDistinguishable(context, input)
      ? { ...response, status }
      : response
  }
}

type DeclaredAspect = Exclude<ResponseAspect, { readonly aspect: 'declared' | 'challenge' }>

/** Breaks one rule of a declared response, which requests get that usually get another one if they may have it. */
const corruptDeclared = async (
  context: MutationContext,
  aspect: DeclaredAspect,
): Promise<Mutant | Unbreakable> => {
  const { operation, engine } = context
  const declared = operation.responses.find(({ status }) => status === aspect.status) as DeclaredResponse
  const isUsual = usualStatuses(operation).includes(declared.status)
  const statusFor = correctStatus(operation, declared)
  const [possible] = [null, ...parts].flatMap(part => statusFor(part) ?? [])
  if (!isUsual && possible === undefined)
    return { reason: `a status under ${declared.status} is not a correct response to any request` }
  const corrupt = corruption(context, declared, aspect)
  const status = possible ?? statusOf(declared, 200)
  const sample = await buildResponse(engine, operation, { declared, status })
  if (corrupt(sample, undefined) === undefined && aspect.aspect !== 'echo')
    return { reason: 'no response breaks it and nothing else: other keywords forbid the same values' }
  const build = async (response: MockResponse, part: RequestPart | null): Promise<MockResponse | null> => {
    if (responseFor(operation, response.status) === declared) return response
    const status = statusFor(part)
    return isUsual || status === null ? null : buildResponse(engine, operation, { declared, status })
  }
  return async (input, { usual }, request) => {
    const response = await usual()
    if (input === null) return response
    const built = await build(response, input.violations[0]?.part ?? null)
    if (built === null) return response
    if (aspect.aspect === 'length') request.fault = 'wrong-length'
    return corrupt(built, isValid(input) ? input.body : undefined) ?? built
  }
}

type Corrupt = (response: MockResponse, sent: Json | undefined) => MockResponse | undefined

/** Changes a response so that it breaks the obligation and no other; undefined: there is no such change. */
const corruption = (
  { contract, operation, obligation }: MutationContext,
  declared: DeclaredResponse,
  aspect: DeclaredAspect,
): Corrupt => {
  // A wrong length is a fault of delivery.
  if (aspect.aspect === 'length')
    return response => ({ ...response, headers: [...response.headers, ['Connection', 'close']] })
  const judge = createResponseJudge(contract, operation)
  const judged = judgedMedia(contract, declared)?.first ?? null
  return (response, sent) =>
    Iterator.from(candidates(response, declared, judged, aspect)).find(candidate => {
      const violations = judge(candidate, sent)
      return violations.length === 1 && violations[0]?.id === obligation.id
    })
}

/** The declared statuses that the mock responds with of itself. */
const usualStatuses = (operation: Operation): readonly string[] => {
  const success = operation.responses
    .map(({ status }) => status)
    .toSorted()
    .find(status => status.startsWith('2'))
  const possible = [
    ...(operation.security.length > 0 ? (['credentials'] as const) : []),
    ...(operation.body === null ? [] : (['body', 'media'] as const)),
    ...(operation.parameters.length > 0 ? (['parameter'] as const) : []),
  ]
  return [success ?? [], possible.flatMap(part => rejectionStatuses(operation, part)[0] ?? [])].flat()
}

const parts = ['body', 'media', 'parameter', 'credentials'] as const

/** The status under a declared response that is correct for a request with this invalid part (null: a valid one). */
const correctStatus = (
  operation: Operation,
  declared: DeclaredResponse,
): ((part: RequestPart | null) => number | null) => {
  const common = [2, 3, 4].flatMap(hundreds => [0, 1, 2, 3].map(rest => hundreds * 100 + rest))
  // Problem details are of failures.
  const least =
    declared.media.length > 0 && declared.media.every(({ type }) => mediaType(type) === problemType) ? 400 : 0
  const under = [statusOf(declared, 200), ...common].filter(
    status =>
      status >= least && responseFor(operation, status) === declared && status !== 204 && status !== 304,
  )
  const isMissing = (status: number): boolean => status === 404 && operation.path.includes('{')
  return part =>
    under.find(status =>
      part === null
        ? isSuccess(operation, status) || isMissing(status)
        : isRejection(operation, part, status, 'declared'),
    ) ?? null
}

/** Changes of a response that may break the aspect. Those of its value are written one at a time: a long list has thousands. */
const candidates = (
  response: MockResponse,
  declared: DeclaredResponse,
  judged: JudgedMedia | null,
  aspect: DeclaredAspect,
): Iterable<MockResponse> => {
  const bytes = Buffer.from(response.body)
  const text = bytes.toString()
  const withBody = (body: string | Uint8Array): MockResponse => ({
    ...response,
    body: Buffer.from(body as string),
  })
  const contentType = header(response.headers, 'content-type')
  const read = (): Json | undefined => {
    if (judged === null) return undefined
    const reading = readBody(judged.format, bytes, contentType)
    return reading.ok ? reading.value : undefined
  }
  const withValue = (value: Json): MockResponse =>
    withBody(judged === null ? writeJson(value) : writeBody(judged.format, value, { contentType }).bytes)
  switch (aspect.aspect) {
    case 'content-type':
      return ['text/plain', 'application/xml', null].map(type => withHeader(response, 'Content-Type', type))
    case 'bom':
      return [withBody(`\ufeff${text}`)]
    case 'encoding': {
      const broken = withBody(Buffer.concat([bytes, Buffer.from([0xff])]))
      return [broken, withHeader(broken, 'Content-Type', `${contentType}; charset=utf-8`)]
    }
    case 'json':
      return [withBody(`${text}}`)]
    case 'duplicate-names':
      return withDuplicateName(parseJson(text)).map(withBody)
    case 'xml':
      return [withBody(`${text}<`)]
    case 'multipart':
      return [withBody(text.slice(0, text.lastIndexOf('--') / 2)), withBody('no parts')]
    case 'items':
      return ['{}', 'null', '"~"']
        .flatMap(item => [`data: ${item}\n\n`, `id: ${item}\n\n`, `${item}\n`])
        .map(withBody)
    case 'length':
      return []
    case 'problem': {
      const value = parseJson(text)
      if (!isObject(value)) return []
      const spoiltMembers: readonly Readonly<Record<string, Json>>[] = [
        { status: rawNumber(String(response.status + 1)) },
        { type: 'no URI' },
        { instance: 'no URI' },
        { title: rawNumber('1') },
      ]
      return spoiltMembers.map(member => withBody(writeJson({ ...value, ...member })))
    }
    case 'schema': {
      const value = read()
      return judged === null || value === undefined
        ? []
        : spoilt(judged.root, value, aspect).values().map(withValue)
    }
    case 'header':
      return [null, '~', '-1', '1.5', 'x y'].map(value => withHeader(response, aspect.header, value))
    case 'rate-limit': {
      const names = rateLimitNames(declared)
      const limits = names.map(name => Number(header(response.headers, limitHeaderOf(name).toLowerCase())))
      return ['7', '-7', ...limits.map(limit => String(limit + 1))].map(rest =>
        names.reduce((changed, name) => withHeader(changed, name, rest), response),
      )
    }
    case 'echo': {
      const value = read()
      if (!isObject(value)) return []
      return otherValues(value[aspect.name]).map(other => withValue({ ...value, [aspect.name]: other }))
    }
  }
}

/** The text of a value with the first member of its first object written twice. */
const withDuplicateName = (value: Json): readonly string[] => {
  const whole = writeJson(value)
  const found = firstObject(value)
  const [first] = found === null ? [] : Object.entries(found)
  if (found === null || first === undefined) return []
  const text = writeJson(found)
  return [whole.replace(text, () => `{${JSON.stringify(first[0])}:${writeJson(first[1])},${text.slice(1)}`)]
}

const firstObject = (value: Json): Readonly<Record<string, Json>> | null => {
  if (isObject(value) && Object.keys(value).length > 0) return value
  const inside = typeof value === 'object' && value !== null ? Object.values(value as readonly Json[]) : []
  return inside.map(firstObject).find(found => found !== null) ?? null
}
