import {
  type AnswerJudge,
  type Contract,
  createAnswerJudge,
  type Headers,
  isObject,
  type Json,
  type JsonObject,
  jsonMedia,
  type Operation,
  placesOf,
  type ResponseClause,
  type SchemaPlace,
  writeJson,
} from '../spec/index.ts'
import type { Sample, Sampler } from './prism.ts'

/** A composed answer: conforms to the clause of its status. */
export type Composed = { readonly status: number; readonly headers: Headers; readonly body: Uint8Array }

/** Makes the answer of one response clause; `known` are the properties whose values are known already. */
export type Compose = (
  clause: ResponseClause,
  known: (root: SchemaPlace) => JsonObject | Json | undefined,
) => Promise<Composed>

const utf8 = new TextEncoder()

/** The number of a clause: `200`, 400 of `4XX`; what `fallback` says of `default`. */
export const statusOf = (clause: ResponseClause, fallback: number): number =>
  /^\dXX$/.test(clause.status)
    ? Number(clause.status[0]) * 100
    : clause.status === 'default'
      ? fallback
      : Number(clause.status)

/** Compiles the answers of one operation. Every one is judged by the contract before it leaves. */
export const createComposer = (
  contract: Contract,
  operation: Operation,
  sampler: Sampler,
  warn: (message: string) => void,
) => {
  const judge: AnswerJudge = createAnswerJudge(contract, operation)
  const samples = new Map<string, Promise<Sample>>()
  const sampleOf = (status: number, attempt: number): Promise<Sample> => {
    const key = `${status} ${attempt}`
    const known = samples.get(key) ?? sampler(operation, status, attempt > 0)
    samples.set(key, known)
    return known
  }
  return async (
    clause: ResponseClause,
    fallback: number,
    known: (root: SchemaPlace) => Json | undefined,
  ): Promise<Composed> => {
    const status = statusOf(clause, fallback)
    const media = jsonMedia(clause.media) ?? clause.media[0] ?? null
    if (media === null && clause.headers.length === 0) return { status, headers: [], body: new Uint8Array() }
    const root = media?.schema == null ? null : placesOf(contract.document, media.schema)
    const values = root === null ? undefined : known(root)
    const answer = (headers: Headers, body: Json | undefined): Composed => ({
      status,
      headers: media === null ? headers : [['Content-Type', media.type], ...headers],
      body:
        body === undefined
          ? new Uint8Array()
          : utf8.encode(media !== null && jsonMedia([media]) === null ? String(body) : writeJson(body)),
    })
    const holds = (composed: Composed): boolean => judge(composed, undefined).length === 0
    if (clause.headers.length === 0 && isWhole(root, values)) {
      const composed = answer([], values)
      if (holds(composed)) return composed
    }
    for (let attempt = 0; attempt < 10; attempt++) {
      const sample = await sampleOf(status, attempt)
      const headers = Object.entries(sample.headers).map(([name, value]) => [name, String(value)] as const)
      const merged = root === null ? sample.body : overlay(root, sample.body, values)
      for (const body of [merged, sample.body]) {
        const composed = answer(headers, body)
        if (holds(composed)) return composed
      }
    }
    warn(
      `no answer that conforms could be made for ${operation.id} ${status}: the mock answers with what breaks the contract least`,
    )
    return answer([], (await sampleOf(status, 0)).body)
  }
}

/** Whether every property of the schema is known, so that nothing has to be made up. */
const isWhole = (root: SchemaPlace | null, values: Json | undefined): boolean =>
  root !== null &&
  values !== undefined &&
  (!isObject(values) || root.required.every(name => Object.hasOwn(values, name)))

const overlay = (root: SchemaPlace, sample: Json | undefined, values: Json | undefined): Json | undefined => {
  if (values === undefined || !isObject(values)) return values ?? sample
  if (!isObject(sample)) return sample
  // What is optional and not known stays away: a tag that nobody sent is not made up.
  const kept = Object.entries(sample).filter(
    ([name]) =>
      root.required.includes(name) || !root.properties.includes(name) || Object.hasOwn(values, name),
  )
  return { ...Object.fromEntries(kept), ...values }
}
