import type { Received } from './client.ts'
import { decodeUtf8, parseJson } from './json.ts'
import type { Probe } from './probe.ts'

const hasOnlyInt32 = (value: unknown): boolean =>
  typeof value === 'bigint' && value === BigInt.asIntN(32, value)

const departureFromPlant = (body: unknown, sent: Probe['sent']): string | undefined => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the Plant is no object'
  const { name, tag } = body as Record<string, unknown>
  if (typeof name !== 'string') return 'name is no string'
  if (tag !== undefined && typeof tag !== 'string') return 'tag is no string'
  const wanted = parseJson(
    Buffer.from(sent.body)
      .toString()
      .replace(/^\ufeff/, ''),
  ) as Record<string, unknown>
  if (/\\ud/i.test(String(sent.body))) return undefined
  if (name !== wanted.name) return 'name is not echoed'
  return tag === wanted.tag ? undefined : 'tag is not echoed'
}

const departureFromError = (body: unknown): string | undefined => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the Error is no object'
  const { error, message } = body as Record<string, unknown>
  if (!hasOnlyInt32(error)) return 'error is no int32'
  return typeof message === 'string' ? undefined : 'message is no string'
}

/** Enough for the flat objects that stores answer with. */
const hasNameTwice = (text: string): boolean => {
  const strings = text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)
  const names = [...strings].flatMap(([, name, colon]) => (colon === undefined ? [] : [name]))
  return names.length !== new Set(names).size
}

/** What is unlawful about an answer, by the contract's own words; undefined when nothing is. */
export const departure = (
  { wants, sent }: Pick<Probe, 'wants' | 'sent'>,
  received: Received,
): string | undefined => {
  if (received.kind !== 'answer')
    return received.kind === 'silence' ? 'no answer' : `no answer: ${received.code}`
  const { status, type, encoding, body } = received
  if (status !== 200 && status !== 400) return `status ${status}`
  if (wants === 'refuse' && status === 200) return 'accepted'
  if (wants === 'accept' && status === 400) return `refused: ${body}`
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') return `content type ${type}`
  // The client never asks for an encoding.
  if (encoding !== undefined) return `content encoding ${encoding}`
  try {
    const text = decodeUtf8(body)
    const value = parseJson(text)
    if (hasNameTwice(text)) return 'a name stands twice'
    return status === 200 ? departureFromPlant(value, sent) : departureFromError(value)
  } catch {
    return 'the body is not JSON'
  }
}
