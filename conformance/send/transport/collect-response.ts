import {
  createGrowingBytes,
  decodedBody,
  type Headers,
  type HttpResponse,
  header,
  latin1,
  type Outcome,
  type StreamKind,
  streamKindOf,
  wholeItems,
} from '../../../spec/index.ts'
import { failureOf } from './failure.ts'
import type { TimeLimit } from './time-limit.ts'
import { type LargeSlots, largeBytes } from './window.ts'

/** The server under test is not trusted: no more of a response than this is read. */
export const limits = {
  /** Bytes of the header fields. */
  headBytes: 65_536,
  headerFields: 1000,
  /** 1xx responses before the final one. */
  interim: 32,
  bodyBytes: 5 * 1024 * 1024,
  /** Milliseconds of a stream that does not end. */
  streamMs: 300,
} as const

/** Takes in a response as an HTTP client reports it. */
export type Collector = {
  /** There is a connection: from now on the time counts. */
  readonly connected: () => void
  readonly interim: () => void
  readonly head: (status: number, headers: Headers) => void
  readonly data: (chunk: Uint8Array) => void
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

/** What all responses of a run share. */
export type Reading = { readonly timeLimit: TimeLimit; readonly slots: LargeSlots }

export type CollectOptions = Reading & {
  /** Stops reading the response for a while. */
  readonly pause: () => void
  readonly resume: () => void
  /** Ends the connection. */
  readonly abort: (error: Error) => void
  readonly done: (outcome: Outcome) => void
}

/** Calls `done` once: with the whole response, or with the first problem. Keeps to the limits and the time. */
export const collectResponse = ({
  timeLimit,
  slots,
  pause,
  resume,
  abort,
  done,
}: CollectOptions): Collector => {
  const timeoutMs = timeLimit.current()
  const isShort = timeLimit.isShort()
  const began = performance.now()
  let status: number | null = null
  let headers: Headers = []
  let interims = 0
  let size = 0
  let isOpen = true
  let stream: StreamKind | null = null
  let cancelTimer = (): void => {}
  let releaseSlot = (): void => {}
  const body = createGrowingBytes()
  const settle = (outcome: Outcome): void => {
    if (!isOpen) return
    isOpen = false
    cancelTimer()
    releaseSlot()
    done(outcome)
  }
  const fail = (error: unknown): void => {
    const { failure, detail } = failureOf(error)
    const isBroken = failure === 'reset' && status !== null
    settle({
      kind: 'failure',
      failure,
      detail: isBroken ? `${detail} after ${size} bytes of the body` : detail,
      status,
      ms: performance.now() - began,
      ...(failure === 'timeout' && isShort ? { hurried: true } : {}),
    })
  }
  const stop = (code: string, message: string): void => {
    if (!isOpen) return
    const error = Object.assign(new Error(message), { code })
    fail(error)
    abort(error)
  }
  const timeOut = (): void => {
    timeLimit.hung()
    stop(
      'NO_RESPONSE',
      status === null
        ? `no ${interims > 0 ? 'final ' : ''}response within ${Math.round(timeoutMs)} ms`
        : `only ${size} bytes of the body within ${Math.round(timeoutMs)} ms`,
    )
  }
  /** A stream of items may never end: those that came in time are the response. */
  const leaveStream = (kind: StreamKind): void => {
    if (!isOpen) return
    const response: HttpResponse = { status: status ?? 0, headers, body: wholeItems(kind, body.whole()) }
    settle({ kind: 'response', response, ms: performance.now() - began })
    abort(new Error('the stream was left'))
  }
  const startTime = (): void => {
    cancelTimer()
    if (!isOpen) return
    const kind = stream
    cancelTimer =
      kind === null
        ? startTimer(timeoutMs, timeOut)
        : startTimer(Math.min(timeoutMs, limits.streamMs), () => leaveStream(kind))
  }
  // A response that waits for its turn does not use up its time.
  const inTurn = {
    pause: () => {
      cancelTimer()
      pause()
    },
    resume: () => {
      startTime()
      resume()
    },
  }
  return {
    connected: startTime,
    interim: () => {
      interims += 1
      if (interims > limits.interim) stop('TOO_LARGE', `more than ${limits.interim} interim responses`)
    },
    head: (responseStatus, fields) => {
      status = responseStatus
      body.expect(Math.min(limits.bodyBytes, Number(header(fields, 'content-length') ?? 0) || 0))
      headers = fields
      if (fields.length > limits.headerFields)
        stop('TOO_LARGE', `more than ${limits.headerFields} header fields`)
      stream = openStreamOf(fields)
      if (stream !== null) startTime()
    },
    data: chunk => {
      const isLarge = size <= largeBytes && size + chunk.length > largeBytes
      size += chunk.length
      if (size > limits.bodyBytes) stop('TOO_LARGE', `more than ${limits.bodyBytes} bytes of a body`)
      else if (isOpen) body.add(chunk)
      if (isOpen && isLarge) releaseSlot = slots.take(inTurn)
    },
    end: () => {
      if (!isOpen) return
      const response: HttpResponse = { status: status ?? 0, headers, body: body.whole() }
      const decoded = decodedBody(response, limits.bodyBytes)
      if ('problem' in decoded && decoded.bomb) stop('TOO_LARGE', decoded.problem)
      else {
        const ms = performance.now() - began
        timeLimit.responded(ms)
        settle({ kind: 'response', response, ms })
      }
    },
    fail,
  }
}

/** How a response frames its items if it may go on without end. Null: it ends. */
export const openStreamOf = (headers: Headers): StreamKind | null =>
  header(headers, 'content-length') === null && header(headers, 'content-encoding') === null
    ? streamKindOf(header(headers, 'content-type') ?? '')
    : null

/** A timer that is late by more than `ms` milliseconds shows that this process was too busy to read. That is checked every `checkedEvery` of them. */
const busy = { ms: 50, checkedEvery: 250 } as const

/**
 * Calls `late` after the time, not counting time in which this process was busy and read nothing: what has arrived meanwhile is read
 * first. Gives a function that cancels it.
 */
const startTimer = (timeoutMs: number, late: () => void): (() => void) => {
  let timer: NodeJS.Timeout | NodeJS.Immediate
  const wait = (left: number): void => {
    const ms = Math.min(left, busy.checkedEvery)
    const due = performance.now() + ms
    timer = setTimeout(() => {
      const lateBy = performance.now() - due
      if (left > ms) wait(left - ms)
      else if (lateBy > busy.ms) wait(lateBy)
      else timer = setImmediate(late)
    }, ms)
  }
  wait(timeoutMs)
  return () => {
    clearTimeout(timer as NodeJS.Timeout)
    clearImmediate(timer as NodeJS.Immediate)
  }
}

/** Pairs of names and values that follow each other in a flat list. */
export const headerPairs = (flat: readonly (string | Uint8Array)[]): Headers =>
  flat.flatMap((name, index) =>
    index % 2 === 0 ? [[textOf(name), textOf(flat[index + 1] ?? '')] as const] : [],
  )

const textOf = (field: string | Uint8Array): string => (typeof field === 'string' ? field : latin1(field))
