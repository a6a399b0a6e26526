import {
  type Expectation,
  type HttpRequest,
  type MalformedHttpCheck,
  type MalformedHttpKind,
  malformedHttpKinds,
  type RawRequest,
} from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'

/** A valid request in the malformed framing that its spec names; null if it is framed as usual. */
export const rawRequestOf = (
  { headers, body, method, target }: HttpRequest,
  { malformedHttp }: RequestSpec,
): RawRequest | null => {
  const kind = malformedHttp === null ? null : malformedHttpKindOf(malformedHttp.name)
  if (malformedHttp === null || kind === null) return null
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const ways = kind.make({ method, target, lines, body: Buffer.from(body ?? '').toString('latin1') })
  return ways[malformedHttp.pick % ways.length] ?? null
}

export const malformedHttpKindOf = (name: string): MalformedHttpKind | null =>
  malformedHttpKinds.find(kind => kind.name === name) ?? null

const expectations: Readonly<Record<MalformedHttpCheck, Expectation>> = {
  rejected: 'reject',
  accepted: 'accept',
  continued: 'accept',
  'in-order': 'accept',
  closed: 'accept',
  alone: 'either',
  survived: 'either',
  plain: 'either',
  observed: 'either',
}

/** What HTTP expects of a server that gets a request in this framing. */
export const expectationOfKind = ({ check }: MalformedHttpKind): Expectation => expectations[check]
