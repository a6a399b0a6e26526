import type { Outcome } from '../store/client.ts'
import { decodeUtf8, isObject, isText, parseJson } from '../store/json.ts'
import type { Probe } from './probe.ts'

const isInt32 = (value: unknown): boolean => typeof value === 'bigint' && value === BigInt.asIntN(32, value)

const violationInPlant = (plant: unknown, { body }: Probe['request']): string | undefined => {
  if (!isObject(plant)) return 'the Plant is not an object'
  const { name, tag } = plant
  if (!isText(name)) return 'name is not a string'
  if (tag !== undefined && !isText(tag)) return 'tag is not a string'
  const text = Buffer.from(body).toString()
  // The contract does not specify what happens to a lone surrogate.
  if (/\\ud/i.test(text)) return undefined
  const sent = parseJson(text.replace(/^\ufeff/, '')) as Record<string, unknown>
  if (name !== sent.name) return 'name is not echoed'
  return tag === sent.tag ? undefined : 'tag is not echoed'
}

const violationInError = (value: unknown): string | undefined => {
  if (!isObject(value)) return 'the Error is not an object'
  const { error, message } = value
  if (!isInt32(error)) return 'error is not an int32'
  return isText(message) ? undefined : 'message is not a string'
}

/** Enough for the flat objects that the stores respond with. */
const hasNameTwice = (text: string): boolean => {
  const strings = text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)
  const names = [...strings].flatMap(([, name, colon]) => (colon === undefined ? [] : [name]))
  return names.length !== new Set(names).size
}

/** How the outcome violates the contract, by the text of the contract alone; undefined if it does not. */
export const violationIn = (
  { expectation, request }: Pick<Probe, 'expectation' | 'request'>,
  outcome: Outcome,
): string | undefined => {
  if (outcome.kind !== 'response')
    return outcome.kind === 'silence' ? 'no response' : `no response: ${outcome.code}`
  const { status, type, encoding, body } = outcome
  if (status !== 200 && status !== 400) return `status ${status}`
  if (expectation === 'reject' && status === 200) return 'accepted'
  if (expectation === 'accept' && status === 400) return `rejected: ${body}`
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') return `content type ${type}`
  // The client never accepts an encoding.
  if (encoding !== undefined) return `content encoding ${encoding}`
  try {
    const text = decodeUtf8(body)
    const value = parseJson(text)
    if (hasNameTwice(text)) return 'a property occurs twice'
    return status === 200 ? violationInPlant(value, request) : violationInError(value)
  } catch {
    return 'the body is not JSON'
  }
}
