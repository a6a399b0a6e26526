import {
  bodyLocation,
  isJsonMedia,
  type Json,
  jsonCopy,
  mediaType,
  nearest,
  type Operation,
  violationMessage,
  webhooksOf,
  writeJson,
} from '../../spec/index.ts'
import type { ServedDocument } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { OptionError } from '../errors.ts'
import { type Body, callbackBody, type Outcome, type SendOptions, sendOperation } from './send-operation.ts'

/** What is said of a webhook that is to be sent. */
export type WebhookOptions = {
  /** Where to: to this machine, a private network, or one of `callbackHosts`. */
  readonly url: string
  /** Default: the example of the document, else a made-up one. */
  readonly body?: unknown
  /** Signatures and the like. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether `body` may break the contract. Default false. */
  readonly undeclared?: boolean | undefined
}

/**
 * Sends a webhook of the document, and resolves with what came of it. Throws OptionError if there is none of this name, or its body
 * breaks the contract.
 */
export const sendWebhook = async (
  documents: readonly ServedDocument[],
  options: SendOptions,
  name: string,
  { url, body, headers = {}, undeclared = false }: WebhookOptions,
  closing: AbortSignal,
): Promise<Outcome> => {
  const all = documents.flatMap(({ engine }) =>
    webhooksOf(engine.contract).map(operation => ({ engine, operation })),
  )
  const found = all.find(({ operation }) => operation.id === name)
  if (found === undefined)
    throw new OptionError(
      unknown(
        name,
        all.map(({ operation }) => operation.id),
      ),
    )
  const { engine, operation } = found
  if (typeof url !== 'string') throw new OptionError(`the webhook ${name} needs a url to go to`)
  const given = body === undefined ? undefined : givenBody(engine, operation, body, undeclared)
  const [media] = operation.body?.media ?? []
  const nothing = { headers: [], body: null }
  const exchange = {
    url,
    method: operation.method,
    status: 0,
    path: {},
    request: nothing,
    response: noExchange,
  }
  const request = {
    kind: 'webhook' as const,
    operation,
    url,
    headers: Object.entries(headers),
    body: async () => given ?? (media === undefined ? null : callbackBody(engine, media, exchange)),
    refusal: null,
  }
  return sendOperation(options, engine, request, closing)
}

const noExchange = { headers: [], body: new Uint8Array() }

const unknown = (name: string, names: readonly string[]): string => {
  if (names.length === 0) return `there is no webhook ${name}: the document declares none`
  const [near] = nearest(name, names)
  return `there is no webhook ${name}${near === undefined ? `; webhooks: ${names.join(', ')}` : `: did you mean ${near}?`}`
}

/** A body of the user's own, which the contract allows. */
const givenBody = (
  { contract }: Engine,
  { id, body }: Operation,
  value: unknown,
  undeclared: boolean,
): Body => {
  const [media] = body?.media ?? []
  const json = jsonCopy(value) as Json
  const { schemas } = contract.requests
  if (media === undefined && !undeclared) throw new OptionError(`the webhook ${id} has no body`)
  const [wrong] = undeclared || media?.schema == null ? [] : schemas.validator(media.schema)(json)
  if (wrong !== undefined)
    throw new OptionError(
      `the webhook ${id} breaks the contract: ${violationMessage(bodyLocation(''), wrong)}; change it, or add undeclared: true to break the contract on purpose`,
    )
  const type = media?.type ?? 'application/json'
  const isText = typeof json === 'string' && !isJsonMedia(mediaType(type) ?? '')
  return { type, bytes: new TextEncoder().encode(isText ? json : writeJson(json)) }
}
