import type { Socket } from 'node:net'
import type { Outcome, Raw, Trace } from '../../spec/index.ts'
import type { Dial } from './dial.ts'
import { failureOf } from './failure.ts'
import { limits } from './gather.ts'
import { type Heard, hear } from './hear.ts'

export type RawOptions = {
  readonly dial: Dial
  readonly fill: (text: string) => string
  readonly timeoutMs: number
}

/**
 * Writes bytes to a connection of their own, and listens until enough answers came, the server closed, or the time is
 * up.
 */
export const sendRaw = async (raw: Raw, { dial, fill, timeoutMs }: RawOptions): Promise<Outcome> => {
  const began = performance.now()
  const ms = (): number => performance.now() - began
  let socket: Socket
  try {
    socket = await dial()
  } catch (error) {
    return { kind: 'failure', ...failureOf(error), status: null, ms: ms() }
  }
  const ear = createEar(socket, raw.answers)
  let early = false
  for (const [index, piece] of raw.pieces.entries()) {
    if (index > 0) {
      await ear.anything(timeoutMs / 2)
      early = ear.heard().answers.length + ear.heard().interim.length > 0
    }
    if (!ear.closed()) socket.write(Buffer.from(fill(piece), 'latin1'))
  }
  if (raw.end === 'now') socket.end()
  await ear.enough(timeoutMs / 2)
  if (raw.end === 'later' && ear.heard().answers.length === 0 && !ear.closed()) socket.end()
  await ear.enough(timeoutMs / 2)
  socket.destroy()
  return outcomeOf(ear.heard(), { early, closed: ear.closed() }, ms())
}

const outcomeOf = (
  { answers, interim, problem }: Heard,
  { early, closed }: Pick<Trace, 'early' | 'closed'>,
  ms: number,
): Outcome => {
  const [answer] = answers
  const statuses = answers.map(({ status }) => status)
  if (answer !== undefined) return { kind: 'answer', answer, ms, trace: { statuses, interim, early, closed } }
  const detail = problem ?? (closed ? 'the connection was closed without an answer' : 'no answer in time')
  const failure = problem !== null ? 'malformed' : closed ? 'reset' : 'timeout'
  return { kind: 'failure', failure, status: null, detail, ms }
}

type Ear = {
  readonly heard: () => Heard
  readonly closed: () => boolean
  /** Settles when anything has come, enough has, or the time is up. */
  readonly anything: (ms: number) => Promise<void>
  readonly enough: (ms: number) => Promise<void>
}

const createEar = (socket: Socket, wanted: number): Ear => {
  let bytes = Buffer.alloc(0)
  let closed = false
  let told = (): void => {}
  socket.on('data', (part: Buffer) => {
    // What is larger than any answer to these may be is not listened to.
    if (bytes.length < limits.headBytes * 4) bytes = Buffer.concat([bytes, part])
    told()
  })
  const end = (): void => {
    closed = true
    told()
  }
  for (const event of ['end', 'close', 'error'] as const) socket.on(event, end)
  const heard = (): Heard => hear(bytes, closed)
  const until = (isMet: () => boolean, ms: number): Promise<void> =>
    new Promise(resolve => {
      const done = (): void => {
        told = () => {}
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, ms)
      told = () => {
        if (closed || isMet()) done()
      }
      told()
    })
  return {
    heard,
    closed: () => closed,
    anything: ms => until(() => bytes.length > 0, ms),
    enough: ms => until(() => heard().answers.length >= wanted, ms),
  }
}
