import { type Chance, createChance } from './chance.ts'
import { bytesOf, type Message } from './message.ts'
import { bodies, fields, methods, noise, targets, versions } from './oddities.ts'

/**
 * A request of a connection. `valid`: it must get a success; `odd`: one response, whichever fits; `corrupted`: nobody knows
 * how HTTP reads it, or what follows it.
 */
export type Sent = {
  readonly kind: 'valid' | 'odd' | 'corrupted'
  readonly message: Message
  readonly bytes: Buffer
}

/** The requests of one connection. */
export type Plan = {
  readonly seed: number
  readonly sent: readonly Sent[]
  /** All bytes, in the pieces that they are written in. */
  readonly pieces: readonly Buffer[]
  /** How the client ends: it waits for the responses; closes its side, and waits; or disconnects without reading them. */
  readonly end: 'wait' | 'half' | 'gone'
}

/** The connection of a seed. */
export const planOf = (valid: readonly Message[], seed: number): Plan => {
  const chance = createChance(seed)
  const sent: Sent[] = []
  for (let left = 1 + chance.below(12); left > 0; left--) sent.push(requestOf(chance, valid))
  // After what may be half a request the client closes its side; else it would wait as long as the mock does.
  const isCorrupted = sent.some(({ kind }) => kind === 'corrupted')
  const end = chance.is(0.04) ? 'gone' : isCorrupted || chance.is(0.3) ? 'half' : 'wait'
  return { seed, sent, pieces: piecesOf(chance, Buffer.concat(sent.map(({ bytes }) => bytes))), end }
}

const requestOf = (chance: Chance, valid: readonly Message[]): Sent => {
  const message = chance.pick(valid)
  const lot = chance.below(100)
  if (lot < 35) {
    const chunks = message.body !== null && chance.is(0.3) ? sizesOf(chance) : null
    const framed = { ...message, chunks }
    return { kind: 'valid', message: framed, bytes: bytesOf(framed) }
  }
  let odd = message
  for (let edits = 1 + chance.below(3); edits > 0; edits--) odd = edited(chance, odd)
  if (lot < 85) return { kind: 'odd', message: odd, bytes: bytesOf(odd) }
  const bytes = chance.is(0.2)
    ? Buffer.from(chance.pick(noise), 'latin1')
    : bytesOf(chance.is(0.5) ? message : odd)
  return { kind: 'corrupted', message: odd, bytes: corrupted(chance, bytes) }
}

const sizesOf = (chance: Chance): readonly number[] =>
  Array.from({ length: 1 + chance.below(4) }, () => 1 + chance.below(40))

const edited = (chance: Chance, message: Message): Message => {
  switch (chance.below(6)) {
    case 0:
      return { ...message, method: chance.pick(methods) }
    case 1:
      return { ...message, target: chance.pick(targets)(message.target) }
    case 2:
      return chance.is(0.3) ? { ...message, version: chance.pick(versions) } : message
    case 3: {
      const left = message.headers.filter(() => !chance.is(0.25))
      return { ...message, headers: left }
    }
    case 4: {
      const [name, value] = chance.pick(fields)
      // Sometimes the request has both.
      const others = message.headers.filter(([field]) => field !== name || chance.is(0.2))
      return { ...message, headers: [...others, [name, value]] }
    }
    default: {
      const body = message.body ?? Buffer.alloc(0)
      const other = chance.is(0.5) ? chance.pick(bodies)(body) : corrupted(chance, body)
      return {
        ...message,
        body: other,
        chunks: chance.is(0.3) && other.length < 5000 ? sizesOf(chance) : null,
      }
    }
  }
}

const splices = [
  '\r\n',
  '\r',
  '\n',
  '\0',
  ' ',
  ':',
  '\t',
  '\r\n\r\n',
  '%',
  'Content-Length: 3\r\n',
  '0\r\n\r\n',
  '\x80',
]

/** Bytes with some of them changed, removed, inserted, doubled or swapped. */
const corrupted = (chance: Chance, bytes: Buffer): Buffer => {
  let result = bytes
  for (let edits = 1 + chance.below(4); edits > 0; edits--) {
    const at = chance.below(result.length + 1)
    const to = Math.min(result.length, at + 1 + chance.below(20))
    const [before, middle, after] = [result.subarray(0, at), result.subarray(at, to), result.subarray(to)]
    switch (chance.below(6)) {
      case 0: {
        result = Buffer.from(result)
        if (at < result.length) result[at] = chance.below(256)
        break
      }
      case 1:
        result = Buffer.concat([before, after])
        break
      case 2:
        result = Buffer.concat([before, Buffer.from(chance.pick(splices), 'latin1'), middle, after])
        break
      case 3:
        result = Buffer.concat([before, middle, middle, after])
        break
      case 4:
        result = Buffer.concat([before, chance.bytes(chance.below(30)), middle, after])
        break
      default:
        result = chance.is(0.3) ? before : Buffer.concat([after, middle, before])
    }
  }
  return result
}

const piecesOf = (chance: Chance, bytes: Buffer): readonly Buffer[] => {
  if (chance.is(0.6)) return [bytes]
  const cuts = Array.from({ length: 1 + chance.below(6) }, () => chance.below(bytes.length + 1))
  const ends = [0, ...cuts.sort((left, right) => left - right), bytes.length]
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
}
