import type { Socket } from 'node:net'
import type { Outcome, RawRequest, RawTrace } from '../../../spec/index.ts'
import { limits } from './collect-response.ts'
import type { Connect } from './connect.ts'
import { failureOf } from './failure.ts'
import { type RawResponses, readRaw } from './read-raw.ts'
import type { TimeLimit } from './time-limit.ts'

export type RawOptions = {
  readonly connect: Connect
  /** Puts the token, and what only the sender knows, into the text. */
  readonly fill: (text: string) => string
  readonly timeLimit: TimeLimit
}

/** Writes bytes to a connection of their own, and reads until enough responses came, the server closed, or the time is up. */
export const sendRaw = async (
  raw: RawRequest,
  { connect, fill, timeLimit }: RawOptions,
): Promise<Outcome> => {
  const timeoutMs = timeLimit.current()
  const hurried = timeLimit.isShort() ? ({ hurried: true } as const) : {}
  const began = performance.now()
  const elapsed = (): number => performance.now() - began
  let socket: Socket
  try {
    socket = await connect()
  } catch (error) {
    return { kind: 'failure', ...failureOf(error), status: null, ms: elapsed() }
  }
  const isHead = raw.pieces.join('').trimStart().startsWith('HEAD ')
  const reader = createReader(socket, raw.responses, isHead)
  let early = false
  for (const [index, piece] of raw.pieces.entries()) {
    if (index > 0) {
      await reader.anything(raw.pauseMs ?? timeoutMs / 2)
      const { responses, interim } = reader.read()
      early = responses.length + interim.length > 0
    }
    if (!reader.isClosed()) socket.write(Buffer.from(fill(piece), 'latin1'))
  }
  if (raw.end === 'now') socket.end()
  await reader.enough(timeoutMs / 2)
  if (reader.read().stream === null) {
    if (raw.end === 'later' && reader.read().responses.length === 0 && !reader.isClosed()) socket.end()
    await reader.enough(timeoutMs / 2)
  }
  socket.destroy()
  const outcome = outcomeOf(reader.read(), { early, closed: reader.isClosed() }, elapsed())
  return outcome.kind === 'failure' && outcome.failure === 'timeout' ? { ...outcome, ...hurried } : outcome
}

const outcomeOf = (
  { responses: complete, interim, begun, stream, problem }: RawResponses,
  { early, closed }: Pick<RawTrace, 'early' | 'closed'>,
  ms: number,
): Outcome => {
  const responses = stream === null ? complete : [...complete, stream]
  // A stream that has no end is left by the client: it does not show whether the server would have closed the connection.
  const trace = { interim, early, closed: closed || stream !== null }
  const [response] = responses
  const statuses = responses.map(({ status }) => status)
  if (response !== undefined) return { kind: 'response', response, ms, trace: { statuses, ...trace } }
  const detail = problem ?? (closed ? 'the connection was closed without a response' : 'no response in time')
  const failure = problem !== null ? 'malformed' : closed ? 'reset' : 'timeout'
  return { kind: 'failure', failure, status: begun, detail, ms }
}

type Reader = {
  readonly read: () => RawResponses
  readonly isClosed: () => boolean
  /** Settles when anything has come, or the time is up. */
  readonly anything: (ms: number) => Promise<void>
  /** Settles when enough responses have come, the time is up, or one of them has gone on for so long that it may have no end. */
  readonly enough: (ms: number) => Promise<void>
}

/** No response to malformed HTTP is longer than this, and what is longer is not read. */
const mostBytes = limits.headBytes * 4

const createReader = (socket: Socket, expected: number, isHead: boolean): Reader => {
  let bytes = Buffer.alloc(0)
  let closed = false
  let onChange = (): void => {}
  socket.on('data', (chunk: Buffer) => {
    if (bytes.length < mostBytes) bytes = Buffer.concat([bytes, chunk])
    onChange()
  })
  const close = (): void => {
    closed = true
    onChange()
  }
  for (const event of ['end', 'close', 'error'] as const) socket.on(event, close)
  const read = (): RawResponses => readRaw(bytes, closed, isHead)
  const until = (isMet: () => boolean, ms: number): Promise<void> =>
    new Promise(resolve => {
      const done = (): void => {
        onChange = () => {}
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, ms)
      onChange = () => {
        if (closed || isMet()) done()
      }
      onChange()
    })
  const isEnough = (): boolean => read().responses.length >= expected
  return {
    read,
    isClosed: () => closed,
    anything: ms => until(() => bytes.length > 0, ms),
    enough: async ms => {
      await until(() => isEnough() || read().stream !== null, ms)
      if (!isEnough()) await until(isEnough, Math.min(ms, limits.streamMs))
    },
  }
}
