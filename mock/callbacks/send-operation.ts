import {
  createResponseJudge,
  type Exchange,
  type Headers,
  type HttpResponse,
  isJsonMedia,
  isObject,
  type Json,
  type JsonObject,
  type Media,
  mediaType,
  type Operation,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import { digest } from '../chance/hash.ts'
import { noBody } from '../engine/compiled-response.ts'
import type { Engine } from '../engine/engine.ts'
import { type Clock, type Journal, shownViolation } from '../middleware/journal.ts'
import type { ShownViolation } from '../middleware/journal-entry.ts'
import { madeItem } from '../streams/made-items.ts'
import { type Outgoing, refusalOf, send } from './send.ts'

export type SendOptions = {
  readonly journal: Journal
  readonly clock: Clock
  /** Hosts besides those of this machine and of private networks to which requests may go. */
  readonly hosts: readonly string[]
}

/** A request of the mock's own. */
export type OwnRequest = {
  readonly kind: 'callback' | 'webhook'
  readonly operation: Operation
  readonly url: string
  readonly headers: Headers
  /** Undefined: none could be made. */
  readonly body: () => Promise<Body | null | undefined>
  /** Why it is not to be sent; null: it is. */
  readonly refusal: string | null
}

/** What came of it. Status 0: there was no answer, for a reason. */
export type Outcome = {
  readonly status: number
  readonly reason: string | null
  readonly violations: readonly ShownViolation[]
}

/** Names the callback or webhook, in its request. */
export const markHeader = 'Plantstore-Callback'

/** Sends a request of the mock's own, judges the answer, and records both. */
export const sendOperation = async (
  { journal, clock, hosts }: SendOptions,
  engine: Engine,
  { kind, operation, url, headers: given, body: make, refusal }: OwnRequest,
  closing: AbortSignal,
): Promise<Outcome> => {
  const began = clock.ticks()
  const { method } = operation
  const record = (sent: Outgoing, answer: HttpResponse | null, reason: string | null): Outcome => {
    const response = answer ?? { status: 0, headers: [], body: noBody }
    const violations = answer === null ? [] : judged(engine, operation, answer)
    if (!closing.aborted)
      journal.add({
        ...sent,
        target: sent.url,
        ms: clock.ticks() - began,
        response,
        operation: operation.id,
        violations,
        scenario: reason === null ? kind : `${kind}: ${reason}`,
        answerProblem: null,
      })
    return { status: response.status, reason, violations }
  }
  const notSent = (reason: string): Outcome =>
    record({ url, method, headers: [], body: null }, null, `not sent: ${reason}`)
  const refused = refusal ?? refusalOf(url, hosts)
  if (refused !== null) return notSent(refused)
  const body = await make()
  if (body === undefined) return notSent('no body could be made, an example helps')
  const headers: Headers = [
    [markHeader, operation.id],
    ...given,
    ...(body === null ? [] : [['Content-Type', body.type] as const]),
    ['Content-Length', String(body?.bytes.length ?? 0)],
  ]
  const outgoing = { url, method, headers, body: body?.bytes ?? null }
  return send(outgoing, hosts, closing).then(
    answer => record(outgoing, answer, null),
    (error: Error) => record(outgoing, null, `failed: ${error.message || error.name}`),
  )
}

/** What the answer breaks of what the document declares for it. */
const judged = (
  { contract }: Engine,
  operation: Operation,
  answer: HttpResponse,
): readonly ShownViolation[] =>
  createResponseJudge(contract, operation)(answer, undefined).map(shownViolation)

export type Body = { readonly type: string; readonly bytes: Uint8Array }

/**
 * The body of a callback: the example of the document, else a made-up value, with what the answer and the request say under the same
 * names, also one level deeper, if that conforms. `event`: what it is said to be about. Undefined: none could be made.
 */
export const callbackBody = async (
  { contract, examples, generated, makers }: Engine,
  media: Media,
  exchange: Exchange,
  event: string | null = null,
): Promise<Body | undefined> => {
  const { type, pointer, schema } = media
  const bodyOf = (value: Json): Body => ({
    type,
    bytes: new TextEncoder().encode(
      typeof value === 'string' && !isJsonMedia(mediaType(type) ?? '') ? value : writeJson(value),
    ),
  })
  const example = examples.named(pointer, type, null)
  if (example !== undefined) return bodyOf(example)
  if (schema === null) return bodyOf({})
  const { document, schemas } = contract.requests
  const validate = schemas.validator(schema)
  const seed = digest(`${exchange.url} ${exchange.status}`)
  const made = await madeItem(
    { document, schema, validatorOf: schemas.validator, examples, generated, makers },
    seed,
    0,
  )
  if (made === undefined || !isObject(made)) return made === undefined ? undefined : bodyOf(made)
  const events = event === null ? [] : eventNames.map(name => [name, event] as const)
  const known = Object.fromEntries([
    ...events,
    ...[jsonOf(exchange.request.body), jsonOf(exchange.response.body)].flatMap(Object.entries),
  ]) as Readonly<Record<string, Json>>
  let value = made
  const put = (changed: JsonObject): void => {
    if (validate(changed).length === 0) value = changed
  }
  for (const [name, member] of Object.entries(made)) {
    if (Object.hasOwn(known, name)) put({ ...value, [name]: known[name] as Json })
    // An event has what it is about as a property: `{"event": "order.created", "order": {…}}`.
    else if (isObject(member))
      for (const inner of Object.keys(member))
        if (Object.hasOwn(known, inner))
          put({ ...value, [name]: { ...(value[name] as JsonObject), [inner]: known[inner] as Json } })
  }
  return bodyOf(value)
}

/** Properties that say what a webhook is about. */
const eventNames = ['event', 'type', 'topic', 'event_type', 'eventType']

/** The same with something missing that the document requires, so that it is still known by the rest; else not even JSON. */
export const brokenBody = async (
  engine: Engine,
  media: Media,
  ...of: [Exchange, string | null]
): Promise<Body> => {
  const { type, schema } = media
  const body = await callbackBody(engine, media, ...of)
  const value = jsonOf(body?.bytes ?? null)
  const validate = schema === null ? () => [] : engine.contract.requests.schemas.validator(schema)
  const wrong = Object.keys(value)
    .toSorted((left, right) => Number(eventNames.includes(left)) - Number(eventNames.includes(right)))
    .map(name => Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))
    .find(each => validate(each).length > 0)
  return { type, bytes: new TextEncoder().encode(wrong === undefined ? '{' : writeJson(wrong)) }
}

const jsonOf = (body: Uint8Array | null): Readonly<Record<string, Json>> => {
  const reading = body === null ? null : readJson(body)
  return reading?.ok === true && isObject(reading.value) ? reading.value : {}
}
