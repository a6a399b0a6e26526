import { type Answer, decodedBody, type Headers, type Outcome } from '../../spec/index.ts'
import { failureOf } from './failure.ts'

/** What an answer may be: no more of it is taken in. The server under test is not trusted. */
export const limits = {
  /** Bytes of the header fields. */
  headBytes: 65_536,
  headerFields: 1000,
  /** 1xx answers before the final one. */
  interim: 32,
  bodyBytes: 10 * 1024 * 1024,
} as const

/** Puts an answer together from what a client tells of it, within the limits and the time. */
export type Gathering = {
  /** There is a connection: from now on the time counts. */
  readonly connected: () => void
  readonly interim: () => void
  readonly head: (status: number, headers: Headers) => void
  readonly data: (chunk: Uint8Array) => void
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

export type GatherOptions = {
  readonly timeoutMs: number
  /** Ends the connection: nothing more is wanted of it. */
  readonly cut: (error: Error) => void
  readonly done: (outcome: Outcome) => void
}

/** Calls `done` once: with the whole answer, or with what went wrong first. */
export const gather = ({ timeoutMs, cut, done }: GatherOptions): Gathering => {
  const began = performance.now()
  let status: number | null = null
  let headers: Headers = []
  let interims = 0
  let size = 0
  let open = true
  let cancel = (): void => {}
  const parts: Uint8Array[] = []
  const settle = (outcome: Outcome): void => {
    if (!open) return
    open = false
    cancel()
    done(outcome)
  }
  const fail = (error: unknown): void => {
    const { failure, detail } = failureOf(error)
    const broken =
      failure === 'reset' && status !== null ? `${detail} after ${size} bytes of the body` : detail
    settle({ kind: 'failure', failure, detail: broken, status, ms: performance.now() - began })
  }
  const stop = (code: string, message: string): void => {
    if (!open) return
    const error = Object.assign(new Error(message), { code })
    fail(error)
    cut(error)
  }
  const giveUp = (): void => {
    if (status === null) stop('NO_ANSWER', `no ${interims > 0 ? 'final ' : ''}answer within ${timeoutMs} ms`)
    else stop('NO_ANSWER', `${size} bytes of the body within ${timeoutMs} ms, and not its end`)
  }
  return {
    connected: () => {
      cancel()
      if (open) cancel = patiently(timeoutMs, giveUp)
    },
    interim: () => {
      interims += 1
      if (interims > limits.interim) stop('TOO_LARGE', `more than ${limits.interim} interim answers`)
    },
    head: (given, fields) => {
      status = given
      headers = fields
      if (fields.length > limits.headerFields)
        stop('TOO_LARGE', `more than ${limits.headerFields} header fields`)
    },
    data: chunk => {
      size += chunk.length
      if (size > limits.bodyBytes) stop('TOO_LARGE', `more than ${limits.bodyBytes} bytes of a body`)
      else if (open) parts.push(chunk)
    },
    end: () => {
      if (!open) return
      const answer: Answer = { status: status ?? 0, headers, body: Buffer.concat(parts, size) }
      const decoded = decodedBody(answer)
      if ('problem' in decoded && decoded.bomb) stop('TOO_LARGE', decoded.problem)
      else settle({ kind: 'answer', answer, ms: performance.now() - began })
    },
    fail,
  }
}

/** A timer may be late by so much before it says that this process was not listening. */
const stallMs = 50

/**
 * Calls `late` after the time, but for time in which this process was busy and read nothing: what has come meanwhile is
 * read first. Gives a function that calls it off.
 */
const patiently = (timeoutMs: number, late: () => void): (() => void) => {
  let timer: NodeJS.Timeout | NodeJS.Immediate
  const wait = (ms: number): void => {
    const due = performance.now() + ms
    timer = setTimeout(() => {
      const stall = performance.now() - due
      if (stall > stallMs) wait(stall)
      else timer = setImmediate(late)
    }, ms)
  }
  wait(timeoutMs)
  return () => {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
  }
}

/** Names and values that follow each other, as pairs. */
export const pairs = (flat: readonly (string | Uint8Array)[]): Headers =>
  flat.flatMap((name, index) =>
    index % 2 === 0 ? [[latin1(name), latin1(flat[index + 1] ?? '')] as const] : [],
  )

const latin1 = (bytes: string | Uint8Array): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
