import {
  type Answer,
  type AnswerAspect,
  type AnswerJudge,
  type Cause,
  clauseOf,
  createAnswerJudge,
  type Flaw,
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
import { type Composed, statusOf, withHeader } from '../compose.ts'
import { indistinct, isOdd } from './accept.ts'
import { type Breaker, isValid, type Scene, type Unbreakable } from './breaker.ts'
import { challenging } from './challenge.ts'
import { otherValues, spoilt } from './spoil.ts'

/** Answers with one flaw. */
export const flawing = async (scene: Scene, aspect: AnswerAspect): Promise<Breaker | Unbreakable> =>
  aspect.aspect === 'declared'
    ? undeclared(scene)
    : aspect.aspect === 'challenge'
      ? challenging(scene)
      : spoiling(scene, aspect)

/** An undeclared success for some valid requests. */
const undeclared = (scene: Scene): Breaker | Unbreakable => {
  const status = [299, 399].find(candidate => clauseOf(scene.operation, candidate) === null)
  if (status === undefined) return { because: 'every status is declared' }
  const none = indistinct(scene)
  if (none !== null) return none
  return async (asked, { usual }) => {
    const answer = await usual()
    return asked !== null && isValid(asked) && isOdd(scene, asked) ? { ...answer, status } : answer
  }
}

type OfClause = Exclude<AnswerAspect, { readonly aspect: 'declared' | 'challenge' }>

const spoiling = async (scene: Scene, aspect: OfClause): Promise<Breaker | Unbreakable> => {
  const { contract, operation, desk, obligation } = scene
  const clause = operation.responses.find(({ status }) => status === aspect.status) as ResponseClause
  const judge = createAnswerJudge(contract, operation)
  const natural = naturalClauses(operation).includes(clause.status)
  const ways = lawfulStatus(operation, clause)
  const possible = [null, ...causes].flatMap(cause => ways(cause) ?? [])
  const sampled = possible[0] ?? statusOf(clause, 200)
  if (!natural && possible.length === 0)
    return { because: `no request is rightly answered by a status that falls under ${clause.status}` }
  const media = jsonMedia(clause.media)
  const root = media?.schema == null ? null : placesOf(contract.document, media.schema)
  const spoil = (answer: Composed, sent: Json | undefined): Composed | undefined =>
    candidates(answer, clause, root, aspect).find(one => isOnly(judge, one, sent, obligation.id))
  if (
    spoil(await desk.compose(operation, clause, sampled), undefined) === undefined &&
    aspect.aspect !== 'echo'
  )
    return { because: 'no answer breaks it and nothing else: other keywords forbid the same values' }
  return async (asked, { usual }) => {
    const answer = await usual()
    if (asked === null) return answer
    const status = ways(asked.breaches[0]?.cause ?? null)
    const own =
      clauseOf(operation, answer.status) === clause
        ? answer
        : natural || status === null
          ? null
          : await desk.compose(operation, clause, status)
    if (own === null) return answer
    const sent = isValid(asked) ? asked.body : undefined
    return spoil(own, sent) ?? own
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

const causes = ['body', 'media', 'parameter', 'credentials'] as const

/** The status of a clause that is a right answer to a request with this fault (null: a valid one); null where there is none. */
const lawfulStatus = (
  operation: Operation,
  clause: ResponseClause,
): ((cause: Cause | null) => number | null) => {
  const all = [
    statusOf(clause, 200),
    ...[2, 3, 4].flatMap(kind => [0, 1, 2, 3].map(rest => kind * 100 + rest)),
  ]
  const own = all.filter(status => clauseOf(operation, status) === clause && status !== 204 && status !== 304)
  const isMissing = (status: number): boolean => status === 404 && operation.path.includes('{')
  return cause =>
    own.find(status =>
      cause === null
        ? isSuccess(operation, status) || isMissing(status)
        : isRefusal(operation, cause, status, 'declared'),
    ) ?? null
}

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
  const json = (): Json => parseJson(text)
  switch (aspect.aspect) {
    case 'content-type':
      return ['text/plain', 'application/xml', null].map(type => withHeader(answer, 'Content-Type', type))
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
    case 'header': {
      const { name } = clause.headers.find(header => header.name === aspect.header) ?? { name: aspect.header }
      return [null, '~', '-1', '1.5', 'x y'].map(value => withHeader(answer, name, value))
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
