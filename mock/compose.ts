import {
  type AnswerJudge,
  type Breach,
  type Contract,
  contextOf,
  createAnswerJudge,
  type Headers,
  type Json,
  type Operation,
  type ResponseClause,
  type SchemaPlace,
  writeJson,
} from '../spec/index.ts'
import { type CompiledClause, compileClause, headersOf } from './clause.ts'
import type { Examples } from './examples.ts'
import { isWhole, overlay, overlays } from './overlay.ts'
import type { Sample, Sampler, Source } from './prism.ts'
import { type MockRequest, seedOf } from './request.ts'
import type { createSampleStore } from './sample-store.ts'
import type { Soon } from './soon.ts'
import { chanceOf, digest, vary } from './vary.ts'

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
const attempts = 8
/** Prism makes so many samples of a clause for different requests; the identities in them are each request's own. */
const variants = 32

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

/** What an answer is made from, beside what is known of its body. */
export type Wish = {
  /** What is made up follows from this text, or else from the request; equal ones give equal values. */
  readonly seed: string | null
  readonly request: MockRequest | null
  /** Whether values are made up also where the document has an example. */
  readonly random: boolean
  /** Whether properties are made up that the schema does not require. */
  readonly whole: boolean
  /** The example of the document to be answered as it is. */
  readonly example: string | null
}

export const anyWish: Wish = { seed: '', request: null, random: false, whole: false, example: null }

/** What the composers of one contract share. */
export type Means = {
  readonly contract: Contract
  readonly sampler: Sampler
  readonly samples: ReturnType<typeof createSampleStore>
  readonly examples: Examples
  readonly warn: (message: string) => void
}

export type Compose = (
  clause: ResponseClause,
  fallback: number,
  known: (root: SchemaPlace) => Json | undefined,
  wish: Wish,
) => Soon<Composed>

/** Compiles the answers of one operation. Every one is judged by the contract before it leaves. */
export const createComposer = (
  { contract, sampler, samples, examples, warn }: Means,
  operation: Operation,
): Compose => {
  const judge: AnswerJudge = createAnswerJudge(contract, operation)
  const sendable = new Set(contextOf(contract, operation).body?.root.properties)
  const sampleOf = (clause: ResponseClause, status: number, source: Source, seed: number): Promise<Sample> =>
    samples(`${operation.id} ${clause.status} ${source} ${seed}`, () =>
      // Where Prism can make nothing up (an endless schema, a pattern that nothing matches) an answer is due all the same.
      sampler(operation, clause, status, source, seed).catch(() => ({
        headers: {},
        body: undefined,
        size: 0,
      })),
    )
  const compiled = new Map<ResponseClause, CompiledClause>()
  const compile = (clause: ResponseClause): CompiledClause => {
    const known = compiled.get(clause) ?? compileClause(contract, clause, sendable)
    compiled.set(clause, known)
    return known
  }
  const hasExample = ({ schemas }: SchemaPlace): boolean =>
    schemas.some(schema => examples.ofSchema(schema) !== undefined)
  const warned = new Set<string>()
  /** What is written from a value that the schema takes, under the declared type and no header, is right by its making. */
  const compose: Compose = (clause, fallback, known, wish) => {
    const status = statusOf(clause, fallback)
    const { media, isJson, root, validate, headers, required, due } = compile(clause)
    if (media === null && clause.headers.length === 0) return { status, headers: [], body: new Uint8Array() }
    const values = root === null ? undefined : known(root)
    return clause.headers.length === 0 &&
      isJson &&
      wish.example === null &&
      isWhole(status < 400 && wish.whole ? due : required, values) &&
      validate?.(values).length === 0
      ? { status, headers, body: bytesOf(writeJson(values)) }
      : madeUp(clause, status, values, wish)
  }
  const madeUp = async (
    clause: ResponseClause,
    status: number,
    values: Json | undefined,
    wish: Wish,
  ): Promise<Composed> => {
    const { media, isJson, root, validate, ...shape } = compile(clause)
    const due = new Set(status < 400 && wish.whole ? shape.due : shape.required)
    const answer = (headers: Headers, body: Json | undefined): Composed => ({
      status,
      headers: media === null ? headers : [['Content-Type', media.type], ...headers],
      body:
        body === undefined
          ? new Uint8Array()
          : bytesOf(media !== null && !isJson ? String(body) : writeJson(body)),
    })
    const seed = digest(wish.seed ?? seedOf(wish.request))
    const example =
      media === null || (wish.random && wish.example === null)
        ? undefined
        : examples.named(media.pointer, media.type, wish.example)
    const isExact = wish.example !== null && example !== undefined
    const holding = (headers: Headers, body: Json | undefined): Composed | undefined => {
      const bodies = isExact || root === null ? [body] : overlays(root, due, validate, body, values)
      for (const made of bodies) {
        const composed = answer(headers, made)
        if (judge(composed, undefined).length === 0) return composed
      }
      return undefined
    }
    const documented = example === undefined || clause.headers.length > 0 ? undefined : holding([], example)
    if (documented !== undefined) return documented
    for (let attempt = 0; attempt <= attempts; attempt++) {
      const source = attempt === attempts ? 'plain' : wish.random ? 'random' : 'document'
      const variant = source === 'plain' ? 0 : (chanceOf(seed) + attempt) % variants
      const sample = await sampleOf(clause, status, source, variant)
      const headers = headersOf(clause, sample)
      const own =
        sample.body === undefined
          ? undefined
          : vary(sample.body, root, seed, wish.random ? never : hasExample)
      const made =
        (example === undefined ? undefined : holding(headers, example)) ??
        holding(headers, own) ??
        holding(headers, sample.body)
      if (made !== undefined) return made
    }
    if (!warned.has(clause.status))
      warn(
        `no answer that conforms could be made for ${operation.id} ${clause.status}: what the mock answers there breaks the contract. An example in the document helps.`,
      )
    warned.add(clause.status)
    const sample = await sampleOf(clause, status, 'plain', 0)
    return answer(
      headersOf(clause, sample),
      root === null ? sample.body : overlay(root, due, sample.body ?? values, values),
    )
  }
  return compose
}

const never = (): boolean => false
