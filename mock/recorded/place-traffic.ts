import {
  basePathOf,
  errorCodes,
  type Headers,
  type HttpResponse,
  isOfBody,
  latin1,
  placeholder,
  type RequestViolation,
  type ResponseViolation,
  serversOf,
  type TrafficEntry,
  valueAt,
  withoutLastSlashes,
  writeJson,
} from '../../spec/index.ts'
import { below, isBelow, ownBase, withoutBase } from '../documents/documents.ts'
import { noBody } from '../engine/compiled-response.ts'
import { type Context, createContext, type Forwarded, type ServedDocument } from '../engine/context.ts'
import { judge } from '../engine/judge.ts'
import { type JudgedRequest, pathOf } from '../engine/request.ts'
import { judgeReceived, unjudgedStatus } from '../proxy/judge-exchange.ts'

/** An entry that belongs to an operation. */
export type PlacedEntry = {
  readonly entry: TrafficEntry
  readonly document: ServedDocument
  /** Path and query below the base. */
  readonly target: string
  /** What stands before them in the URL: `https://shop.test/v1`. */
  readonly base: string
}

export type PlacedTraffic = {
  readonly placed: readonly PlacedEntry[]
  /** Questions of browsers whether a request from another origin is allowed. */
  readonly preflights: number
  /** Entries that belong to no operation. */
  readonly others: number
  /** Whether no entry was sent to a server of the documents, so that the path alone decides. */
  readonly isByPath: boolean
}

/** The base URL of the API. `isOnly`: what was sent elsewhere is of something else. Null: nothing is known of it. */
export type ApiServer = { readonly url: URL; readonly isOnly: boolean } | null

/**
 * Finds the operations that entries belong to: by the given server and those of the documents. If nothing was sent to any of them, as the
 * traffic is of another environment, the path alone decides.
 */
export const placeTraffic = (
  entries: readonly TrafficEntry[],
  documents: readonly ServedDocument[],
  server: ApiServer,
): PlacedTraffic => {
  const requests = entries.filter(entry => !isPreflight(entry))
  const preflights = entries.length - requests.length
  const placedBy = (place: Place): readonly PlacedEntry[] =>
    requests.flatMap(entry => documents.flatMap(document => place(entry, document) ?? []).slice(0, 1))
  const byServer = placedBy(atServers(documents, server))
  const isByPath = server?.isOnly !== true && byServer.length === 0
  const placed = isByPath ? placedBy(atPath) : byServer
  return { placed, preflights, others: requests.length - placed.length, isByPath }
}

type Place = (entry: TrafficEntry, document: ServedDocument) => PlacedEntry | null

const atServers = (documents: readonly ServedDocument[], server: ApiServer): Place => {
  const bases = new Map(
    documents.map(document => [
      document,
      [...(server === null ? [] : [server.url]), ...(server?.isOnly === true ? [] : serversIn(document))],
    ]),
  )
  return (entry, document) => {
    for (const { origin, pathname } of bases.get(document) ?? []) {
      const path = withoutLastSlashes(pathname)
      if (entry.origin !== origin || !isBelow(entry.target, path)) continue
      const target = path === '' ? entry.target : below(entry.target, path)
      if (isDeclared(document, entry.method, target)) return { entry, document, target, base: origin + path }
    }
    return null
  }
}

/** The servers of a document and of its operations that are absolute URLs. */
const serversIn = ({ contract: { document, operations } }: ServedDocument): readonly URL[] =>
  [...(serversOf(document) ?? []), ...operations.flatMap(({ servers }) => servers ?? [])]
    .filter(url => URL.canParse(url))
    .map(url => new URL(url))

const atPath: Place = (entry, document) => {
  const { basePath, contract, engine } = document
  if (entry.origin === '') return null
  const own = ownBase(contract, entry.target, engine.router)
  const shared = serversOf(contract.document)?.map(basePathOf) ?? []
  const bases = [own, basePath, ...shared]
  const target = bases.reduce(
    (rest, base) => (rest === entry.target ? withoutBase(rest, base, engine.router, pathOf(rest)) : rest),
    entry.target,
  )
  if (!isDeclared(document, entry.method, target)) return null
  const base = entry.target.slice(0, entry.target.length - target.length)
  return { entry, document, target, base: entry.origin + base }
}

/** HEAD is declared where GET is. */
const isDeclared = ({ engine: { router } }: ServedDocument, method: string, target: string): boolean =>
  [method, ...(method === 'HEAD' ? ['GET'] : [])].some(
    each => router(each, pathOf(target)).kind === 'operation',
  )

const isPreflight = ({ method, headers }: TrafficEntry): boolean =>
  method === 'OPTIONS' && headers.some(([name]) => name.toLowerCase() === 'access-control-request-method')

/** Stands for any secret that the file does not have: what is wrong with it is not wrong with the secret. */
export const anySecret = 'recorded-secret'

/** Judges a recorded exchange as the proxy judges one that goes through it. */
export const judgeEntry = ({ entry, document, target }: PlacedEntry): Context => {
  // Whether the tokens of that time were right, nobody knows.
  const engine = { ...document.engine, rightTokens: null }
  const context = createContext({ ...filledRequest(entry, target, anySecret), connection: entry })
  context.document = document
  const judged = judge(engine, context)
  if (judged !== null)
    context.judged = {
      ...judged,
      violations: judged.violations.filter(each => isShown(each, judged, entry.hasCredentials)),
    }
  const { failure, unjudged } = entry
  const response = entry.response === null ? null : filledResponse(entry.response, anySecret)
  const notJudged = unjudged ?? (response === null ? null : unjudgedStatus(context, response.status))
  const forwarded: Forwarded = {
    response,
    violations:
      response === null || notJudged !== null
        ? []
        : judgeReceived(engine, context, response).filter(each => !isOfSecret(each)),
    failure,
    unjudged: notJudged ?? (entry.isBodyCut ? 'the file does not have all of the body of the request' : null),
    isCut: false,
    replaced: false,
  }
  context.forwarded = forwarded
  return context
}

/** The response of a context that was judged, for the journal. */
export const recordedResponse = ({ forwarded }: Context) =>
  forwarded?.response ?? { status: 0, headers: [], body: noBody }

/** Whether the file shows that a request breaks this. */
const isShown = (
  { part, code, at }: RequestViolation,
  { body, parameters }: JudgedRequest,
  hasCredentials: boolean,
): boolean => {
  if (code === errorCodes.bodyTooLarge) return false
  if (part === 'credentials') return hasCredentials
  if (at === null) return true
  const root = isOfBody(at) ? body : parameters[at.name]
  const value = root === undefined ? undefined : valueAt(root as object, at.place)
  return value === undefined || !writeJson(value as never).includes(anySecret)
}

const isOfSecret = ({ actual, title }: ResponseViolation): boolean => `${title} ${actual}`.includes(anySecret)

/** The placeholders of a recorded text, as files of the proxy and of the suite have them. */
export const placeholders: RegExp = /\{\{(?:token(?:@\w+)?(?::[a-z-]+)?|header)\}\}/g

const filled = (text: string, secret: string): string =>
  text
    .replaceAll(placeholder('basic'), () => Buffer.from(`user:${secret}`).toString('base64'))
    .replace(placeholders, () => secret)

const filledBytes = (bytes: Uint8Array, secret: string): Uint8Array => {
  // One character for each byte, so that any bytes come back as they were.
  const text = latin1(bytes)
  return text.includes('{{') ? Buffer.from(filled(text, secret), 'latin1') : bytes
}

const filledHeaders = (headers: Headers, secret: string): Headers =>
  headers.map(([name, value]) => [name, filled(value, secret)])

/** A response with a secret in the place of placeholders. */
export const filledResponse = ({ status, headers, body }: HttpResponse, secret: string): HttpResponse => ({
  status,
  headers: filledHeaders(headers, secret),
  body: filledBytes(body, secret),
})

/** A request with a secret in the place of placeholders; `target`: without what stands before the paths of the document. */
const filledRequest = (
  { method, headers, body, isBodyCut }: TrafficEntry,
  target: string,
  secret: string,
) => ({
  method,
  target: filled(decodedPlaceholders(target), secret),
  headers: filledHeaders(headers, secret),
  body: body === null ? null : filledBytes(body, secret),
  tooLarge: isBodyCut,
})

/** In URLs the braces of placeholders are percent-encoded. */
const decodedPlaceholders = (target: string): string =>
  target.replace(/%7B%7B((?:token|header)[\w@:-]*)%7D%7D/gi, '{{$1}}')
