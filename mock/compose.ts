import {
  type AnswerJudge,
  type Breach,
  type Contract,
  createAnswerJudge,
  type Headers,
  isObject,
  type Json,
  jsonMedia,
  type Media,
  type Operation,
  placesOf,
  type ResponseClause,
  type SchemaPlace,
  type Validate,
  writeJson,
} from '../spec/index.ts'
import type { Sample, Sampler } from './prism.ts'
import type { Soon } from './soon.ts'

/** A composed answer: conforms to the clause of its status, unless a scenario or `--break` wants otherwise. */
export type Composed = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** A length to announce in the place of the body's own. */
  readonly announced?: number
  /** The operation that was asked for, and what the request broke; absent: it is none that is declared. */
  readonly judged?: { readonly operation: Operation; readonly breaches: readonly Breach[] }
  /** The scenario that made the answer what it is. */
  readonly scenario?: string
  /** How it ends on its way to the client. Absent: whole. */
  readonly fate?: Fate
  /** Written after the body, as it comes, until it ends or the client goes. */
  readonly stream?: AsyncIterable<Uint8Array>
}

/** The connection is reset at once; half of the body is sent; nothing is ever sent. */
export type Fate = 'reset' | 'truncate' | 'hang'

// Where there is no Buffer, as in a browser, the slower way has to do.
const utf8 = new TextEncoder()
const bytesOf = (text: string): Uint8Array =>
  typeof Buffer === 'undefined' ? utf8.encode(text) : Buffer.from(text)
const attempts = 10

/** The answer with this header and no other of its name; without any where the value is null. */
export const withHeader = (answer: Composed, name: string, value: string | null): Composed => ({
  ...answer,
  headers: [
    ...answer.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()),
    ...(value === null ? [] : [[name, value] as const]),
  ],
})

/** The number of a clause: `200`, and of `4XX` and `default` what `fallback` says where it is one of them, else 400. */
export const statusOf = ({ status }: ResponseClause, fallback: number): number => {
  if (status === 'default') return fallback
  if (!/^\dXX$/.test(status)) return Number(status)
  return status[0] === String(fallback)[0] ? fallback : Number(status[0]) * 100
}

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
    // Where Prism can make nothing up (an endless schema, a pattern that nothing matches) an answer is due all the same.
    const known =
      samples.get(key) ?? sampler(operation, status, attempt).catch(() => ({ headers: {}, body: undefined }))
    samples.set(key, known)
    return known
  }
  const compiled = new Map<ResponseClause, Compiled>()
  const compile = (clause: ResponseClause): Compiled => {
    const known = compiled.get(clause) ?? compileClause(contract, clause)
    compiled.set(clause, known)
    return known
  }
  const warned = new Set<string>()
  /** What is written from a value that the schema takes, under the declared type and no header, is right by its making. */
  const compose = (
    clause: ResponseClause,
    fallback: number,
    known: (root: SchemaPlace) => Json | undefined,
  ): Soon<Composed> => {
    const status = statusOf(clause, fallback)
    const { media, isJson, root, validate, headers } = compile(clause)
    if (media === null && clause.headers.length === 0) return { status, headers: [], body: new Uint8Array() }
    const values = root === null ? undefined : known(root)
    return clause.headers.length === 0 && isJson && isWhole(root, values) && validate?.(values).length === 0
      ? { status, headers, body: bytesOf(writeJson(values)) }
      : madeUp(clause, status, values)
  }
  const madeUp = async (
    clause: ResponseClause,
    status: number,
    values: Json | undefined,
  ): Promise<Composed> => {
    const { media, isJson, root } = compile(clause)
    const answer = (headers: Headers, body: Json | undefined): Composed => ({
      status,
      headers: media === null ? headers : [['Content-Type', media.type], ...headers],
      body:
        body === undefined
          ? new Uint8Array()
          : bytesOf(media !== null && !isJson ? String(body) : writeJson(body)),
    })
    const holds = (composed: Composed): boolean => judge(composed, undefined).length === 0
    for (let attempt = 0; attempt < attempts; attempt++) {
      const sample = await sampleOf(status, attempt)
      const headers = headersOf(clause, sample)
      const merged = root === null ? sample.body : overlay(root, sample.body, values)
      for (const body of [merged, sample.body]) {
        const composed = answer(headers, body)
        if (holds(composed)) return composed
      }
    }
    if (!warned.has(clause.status))
      warn(
        `no answer that conforms could be made for ${operation.id} ${clause.status}: what the mock answers there breaks the contract. An example in the document helps.`,
      )
    warned.add(clause.status)
    const sample = await sampleOf(status, 0)
    return answer(
      headersOf(clause, sample),
      root === null ? sample.body : overlay(root, sample.body ?? values, values),
    )
  }
  return compose
}

type Compiled = {
  readonly media: Media | null
  readonly isJson: boolean
  readonly root: SchemaPlace | null
  readonly validate: Validate | null
  /** Of an answer that has none but those of its body. */
  readonly headers: Headers
}

const compileClause = ({ document, schemas }: Contract, clause: ResponseClause): Compiled => {
  const json = jsonMedia(clause.media)
  const media = json ?? clause.media[0] ?? null
  const schema = media?.schema ?? null
  return {
    media,
    isJson: json !== null,
    root: schema === null ? null : placesOf(document, schema),
    validate: schema === null ? null : schemas.validator(schema),
    headers: media === null ? [] : [['Content-Type', media.type]],
  }
}

// What a header line cannot carry would end the answer.
const headersOf = (clause: ResponseClause, sample: Sample): Headers =>
  Object.entries(sample.headers).flatMap(([name, value]) =>
    clause.headers.some(header => header.name.toLowerCase() === name.toLowerCase()) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
      ? [[name, value] as const]
      : [],
  )

/** Whether every property of the schema is known, so that nothing has to be made up. */
const isWhole = (root: SchemaPlace | null, values: Json | undefined): values is Json =>
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
