import type { Operation, Service } from './document.ts'

/** A request and its response, as the proxy saw them. */
export type Exchange = {
  /** Since the proxy started. */
  readonly ms: number
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** null if the service ended the connection without a response. */
  readonly status: number | null
  readonly type: string
  /** Empty if it is no text, or was cut. */
  readonly body: string
  readonly isCut: boolean
}

/** What the traffic of a run shows, whichever tool sent it; each list is sorted and without doubles. */
export type Judged = {
  readonly requests: number
  /** Requests whose method and path no operation has. */
  readonly elsewhere: number
  /** Operations that answered 2xx. */
  readonly succeeded: readonly string[]
  /** Operation and normalised message of each response with 5xx, but for 503. */
  readonly errors: readonly string[]
  /** Operations that answered 503: a server that is too busy for the load of the tool. */
  readonly busy: readonly string[]
  /** Operation and status that its responses do not declare. */
  readonly undeclared: readonly string[]
  /** Operations with a JSON body below 500 that is malformed or breaks the declared schema. */
  readonly wrong: readonly string[]
  /** Operation, status, place and keyword of what these bodies break. */
  readonly breaches: readonly string[]
}

/** Judges exchanges by a document alone. */
export const judge = async (
  { find }: Service,
  exchanges: AsyncIterable<Exchange> | Iterable<Exchange>,
): Promise<Judged> => {
  const [succeeded, errors, busy, undeclared, wrong, breaches] = Array.from(
    { length: 6 },
    () => new Set<string>(),
  )
  let requests = 0
  let elsewhere = 0
  for await (const exchange of exchanges) {
    requests += 1
    const operation = find(exchange.method, exchange.target.split('?')[0] ?? '')
    if (operation === undefined) elsewhere += 1
    const { status } = exchange
    if (operation === undefined || status === null) continue
    const { name } = operation
    if (status >= 200 && status < 300) succeeded?.add(name)
    if (status === 503) busy?.add(name)
    else if (status >= 500) errors?.add(`${name} ${status} ${messageOf(exchange.body)}`.trimEnd())
    if (!operation.declares(status)) undeclared?.add(`${name} ${status}`)
    for (const breach of breachesOf(operation, exchange)) {
      wrong?.add(name)
      breaches?.add(`${name} ${status} ${breach}`)
    }
  }
  const list = (set: ReadonlySet<string> | undefined): readonly string[] => [...(set ?? [])].sort()
  return {
    ...{ requests, elsewhere, succeeded: list(succeeded), errors: list(errors), busy: list(busy) },
    ...{ undeclared: list(undeclared), wrong: list(wrong), breaches: list(breaches) },
  }
}

const breachesOf = (
  operation: Operation,
  { method, status, type, body, isCut }: Exchange,
): readonly string[] => {
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304
  if (status === null || status >= 500 || isCut || hasNoBody || !/[/+]json\b/.test(type)) return []
  const validate = operation.validatorOf(status, type)
  if (validate === null) return []
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return ['malformed']
  }
  return validate(value)
}

/**
 * What an error says, without what differs from request to request: the texts of a JSON body, or the text of a page, with numbers, UUIDs,
 * quoted texts and letters beyond ASCII left out.
 */
export const messageOf = (body: string): string => {
  let text = body
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(?:quot|#34|apos|#39|#x27);/gi, '"')
  try {
    text = textsOf(JSON.parse(body)).join(' ')
  } catch {}
  return text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|\[[^\]]*\]/g, '·')
    .replace(/\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b|0x[0-9a-f]+|\d+/gi, '#')
    .replace(/[^\x20-\x7e·]+/g, '·')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
}

/** Members that say where and when, and no more of what. */
const circumstances =
  /^(path|url|uri|servlet|instance|timestamp|time|date|trace_?id|request_?id|trace(back)?|stack)$/i

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .filter(([name]) => !circumstances.test(name))
    .flatMap(([, member]) => textsOf(member))
}
