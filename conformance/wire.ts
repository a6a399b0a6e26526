import {
  type Expectation,
  type Raw,
  type Request,
  type WireCheck,
  type WireKind,
  wireKinds,
} from '../spec/index.ts'
import type { Draft } from './case.ts'

/** The bytes of a valid request, framed as its draft says; null where it is framed as usual. */
export const rawOf = ({ headers, body, method, target }: Request, { wire }: Draft): Raw | null => {
  const kind = wire === null ? null : wireKindOf(wire.name)
  if (wire === null || kind === null) return null
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const ways = kind.make({ method, target, lines, body: Buffer.from(body ?? '').toString('latin1') })
  return ways[wire.pick % ways.length] ?? null
}

export const wireKindOf = (name: string): WireKind | null =>
  wireKinds.find(kind => kind.name === name) ?? null

const expectations: Readonly<Record<WireCheck, Expectation>> = {
  refused: 'refused',
  accepted: 'accepted',
  continued: 'accepted',
  'in-order': 'accepted',
  closed: 'accepted',
  alone: 'either',
  survived: 'either',
  plain: 'either',
  observed: 'either',
}

/** What the server is to do with a request that is framed so. */
export const wireExpectation = ({ check }: WireKind): Expectation => expectations[check]
