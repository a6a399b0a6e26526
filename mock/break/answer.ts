import {
  type Answer,
  type AnswerAspect,
  type AnswerJudge,
  clauseOf,
  createAnswerJudge,
  type Flaw,
  type Headers,
  isObject,
  isRefusal,
  isSuccess,
  type Json,
  jsonMedia,
  type Operation,
  parseJson,
  placesOf,
  type ResponseClause,
  refusals,
  type SchemaPlace,
  writeJson,
} from '../../spec/index.ts'
import { type Composed, statusOf } from '../compose.ts'
import { isPlain } from './accept.ts'
import { type Breaker, isValid, type Scene, type Unbreakable } from './breaker.ts'
import { isUnusual } from './marks.ts'
import { otherValues, spoilt } from './spoil.ts'

/** Answers with one flaw. */
export const flawing = (scene: Scene, aspect: AnswerAspect): Breaker | Unbreakable =>
  aspect.aspect === 'declared' ? undeclared(scene) : spoiling(scene, aspect)

/** An undeclared success for some valid requests. */
const undeclared = (scene: Scene): Breaker | Unbreakable => {
  const status = [299, 399].find(candidate => clauseOf(scene.operation, candidate) === null)
  if (status === undefined) return { because: 'no success is undeclared' }
  return async (asked, { usual }) => {
    const answer = await usual()
    return asked !== null && isValid(asked) && isPlain(scene, asked) && isUnusual(scene, asked)
      ? { ...answer, status }
      : answer
  }
}

type OfClause = Exclude<AnswerAspect, { readonly aspect: 'declared' }>

const spoiling = (scene: Scene, aspect: OfClause): Breaker | Unbreakable => {
  const { contract, operation, desk, obligation } = scene
  const clause = operation.responses.find(({ status }) => status === aspect.status) as ResponseClause
  const judge = createAnswerJudge(contract, operation)
  const natural = naturalClauses(operation).includes(clause.status)
  const ways = lawfulStatuses(operation, clause)
  if (!natural && ways.valid === null && ways.invalid === null)
    return { because: `no request is rightly answered by a status that falls under ${clause.status}` }
  const media = jsonMedia(clause.media)
  const root = media?.schema == null ? null : placesOf(contract.document, media.schema)
  return async (asked, { usual }) => {
    const answer = await usual()
    if (asked === null) return answer
    const status = isValid(asked) ? ways.valid : ways.invalid
    const own =
      clauseOf(operation, answer.status) === clause
        ? answer
        : natural || status === null
          ? null
          : await desk.compose(operation, clause, status)
    if (own === null) return answer
    const sent = isValid(asked) ? asked.body : undefined
    const worse = candidates(own, clause, root, aspect).find(one => isOnly(judge, one, sent, obligation.id))
    return worse ?? own
  }
}

const isOnly = (judge: AnswerJudge, answer: Composed, sent: Json | undefined, id: string): boolean => {
  if (answer.announced !== undefined) return true
  const flaws: readonly Flaw[] = judge(answer as Answer, sent)
  return flaws.length === 1 && flaws[0]?.id === id
}

/** The clauses that the mock answers by of itself. */
const naturalClauses = (operation: Operation): readonly string[] => {
  const success = [...operation.responses]
    .map(({ status }) => status)
    .sort()
    .find(status => status.startsWith('2'))
  const causes = [
    ...(operation.security.length > 0 ? (['credentials'] as const) : []),
    ...(operation.body === null ? [] : (['body', 'media'] as const)),
    ...(operation.parameters.length > 0 ? (['parameter'] as const) : []),
  ]
  return [success ?? [], causes.flatMap(cause => refusals(operation, cause)[0] ?? [])].flat()
}

/** Statuses of a clause that are right answers to valid requests and to others; null where there is none. */
const lawfulStatuses = (
  operation: Operation,
  clause: ResponseClause,
): { readonly valid: number | null; readonly invalid: number | null } => {
  const all = [
    statusOf(clause, 200),
    ...[2, 3, 4].flatMap(kind => [0, 1, 2, 3].map(rest => kind * 100 + rest)),
  ]
  const own = all.filter(status => clauseOf(operation, status) === clause && status !== 204 && status !== 304)
  const missing = operation.path.includes('{') && clause.status === '404'
  return {
    valid: own.find(status => isSuccess(operation, status) || (missing && status === 404)) ?? null,
    invalid:
      own.find(status =>
        (['body', 'media', 'parameter', 'credentials'] as const).some(cause =>
          isRefusal(operation, cause, status, 'declared'),
        ),
      ) ?? null,
  }
}

/** Each breaks another rule of challenges. */
const challenges = [
  null,
  'Bearer realm="',
  'Negotiate',
  'Bearer realm="a", realm="b"',
  'Basic',
  'Bearer realm="a", error="invalid_token"',
  'Bearer realm="a", error="insufficient_scope"',
  'Bearer realm="a", error="nonsense"',
  'Bearer realm="a", error="inv\u00e4lid"',
  'Bearer realm="a", error="invalid_token", error_description="\\\\"',
]

/** The answer with what may be the flaw. */
const candidates = (
  answer: Composed,
  clause: ResponseClause,
  root: SchemaPlace | null,
  aspect: OfClause,
): readonly Composed[] => {
  const bytes = Buffer.from(answer.body)
  const text = bytes.toString()
  const withBody = (body: string | Uint8Array): Composed => ({ ...answer, body: Buffer.from(body as string) })
  const withHeader = (name: string, value: string | null): Composed => ({
    ...answer,
    headers: [...without(answer.headers, name), ...(value === null ? [] : [[name, value] as const])],
  })
  const json = (): Json => parseJson(text)
  switch (aspect.aspect) {
    case 'content-type':
      return ['text/plain', 'application/xml', null].map(type => withHeader('Content-Type', type))
    case 'bom':
      return [withBody(`\ufeff${text}`)]
    case 'encoding':
      return [withBody(Buffer.concat([bytes, Buffer.from([0xff])]))]
    case 'json':
      return [withBody(`${text}}`)]
    case 'duplicate-names':
      return doubled(json()).map(withBody)
    case 'length':
      return [
        {
          ...answer,
          announced: answer.body.length + 10,
          headers: [...answer.headers, ['Connection', 'close']],
        },
      ]
    case 'schema':
      return root === null ? [] : spoilt(root, json(), aspect).map(value => withBody(writeJson(value)))
    case 'challenge':
      return challenges.map(value => withHeader('WWW-Authenticate', value))
    case 'header': {
      const { name } = clause.headers.find(header => header.name === aspect.header) ?? { name: aspect.header }
      return [null, '~', '-1', '1.5', 'x y'].map(value => withHeader(name, value))
    }
    case 'echo': {
      const value = json()
      if (!isObject(value)) return []
      return otherValues(value[aspect.name]).map(other =>
        withBody(writeJson({ ...value, [aspect.name]: other })),
      )
    }
  }
}

const without = (headers: Headers, name: string): Headers =>
  headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase())

/** The text with the first member of an object written twice. */
const doubled = (value: Json): readonly string[] => {
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
