import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpRequest, Outcome } from '../../../spec/index.ts'
import { isHanging, isRefused, unresolved } from './failure.ts'
import { delay, isOver, type WaitLimits } from './time-limit.ts'

/**
 * Finds the request that a server is busy with while it answers nothing else, as one with a single thread does in a loop. All requests in flight hang
 * then, and only one of them is why.
 */
export type Blockage = {
  /** Sends a request, or several on one connection. All requests of a run have to be sent through it. */
  readonly watched: <Sent extends Outcome | readonly Outcome[]>(
    requests: readonly HttpRequest[],
    send: () => Promise<Sent>,
  ) => Promise<Sent>
  /**
   * Sends a case. If it got no response while the server answered nothing else, waits until the server answers again, and sends the case again (`again`)
   * while nothing else is in flight: if it hangs then as well, it is why. `of`: its operation.
   */
  readonly resolved: <Sent extends Attempt>(of: string, ways: Ways<Sent>, limits: WaitLimits) => Promise<Sent>
  /** Whether the server answers nothing else while it handles some request of the operation. */
  readonly isBy: (operation: string) => boolean
  /** How often requests of the operation hung that were sent alone, or while the server answered others. */
  readonly hangs: (operation: string) => number
  /** Milliseconds for which the server has answered nothing, once nobody waits for it any more; null: it may answer. */
  readonly silence: () => number | null
  /** Asks what the server has answered before; null if there is nothing that may be asked again. */
  readonly asked: () => Promise<Outcome> | null
  readonly hasAnswered: () => boolean
}

/** How a case is sent first, and again; and the case as one that is left out. */
type Ways<Sent> = {
  readonly send: () => Promise<Sent>
  readonly again: () => Promise<Sent>
  readonly leftOut: (reason: string) => Sent
}

type Attempt = {
  readonly testCase: { readonly request: HttpRequest }
  readonly outcome: Outcome
  readonly missing?: string
}

/** A server that answers nothing for this share of the time that a request hangs may be busy with one. */
const silentShare = 1 / 2
/** Milliseconds after which another request asks whether the server answers beside one that is sent alone, and the share of its time at most. */
const alone = { ms: 1000, share: 1 / 2 } as const
/** Milliseconds: if others wait for less, it may be chance. */
const shortestMs = 1000
/** Milliseconds after which a server that answers nothing is given up, also if the time of the run ends the wait. */
const longest = { ms: 60_000, atTheEnd: 40_000 } as const
/** So many requests of an operation that the server is busy with show enough for those that hung with them: each takes its time. */
const enough = 2
/** If requests of one operation hang together for the third time, and none of them alone, they hang on each other. */
const mostVain = 2
/** Milliseconds between questions whether the server answers. */
const pause = { first: 50, factor: 2, most: 1000 } as const

/** `ask`: sends a request beside all others; `timeoutMs`: how long a response may take now. */
export const createBlockage = (
  ask: (request: HttpRequest) => Promise<Outcome>,
  timeoutMs: () => number,
  /** `onDoubt` is called for each request that may have hung only because another one did, and `onHang` for one that hung though others were answered. */
  { onDoubt, onHang }: { readonly onDoubt: () => void; readonly onHang: (request: HttpRequest) => void },
  /** Hears what is asked for until the server answers, and gives back what is to be called then. */
  onWait: (request: HttpRequest) => () => void = () => () => {},
): Blockage => {
  /** How often the server was busy with a request of each operation, and until when. */
  const blocking = new Map<string, { readonly times: number; readonly last: number }>()
  let inFlight = 0
  /** Those that wait until nothing is in flight. */
  const whenIdle: (() => void)[] = []
  /** When more than one request was in flight for the last time, and when the last response came. */
  let [lastShared, lastResponse] = [Number.NEGATIVE_INFINITY, Number.NaN]
  /** The same, also of a response to a question. */
  let lastHeard = Number.NaN
  /** What can be asked without changing anything: the last such request that was answered at once. */
  let question: HttpRequest | null = null
  let isGivenUp = false
  /** How often requests of each operation hung while others were answered, as those do that wait for a lock. */
  const hangsAlone = new Map<string, number>()
  /** When the server answered a question while a request was in flight that had hung before. */
  let lastServed = Number.NEGATIVE_INFINITY
  /** How often requests hung together of which none hung alone, until when, and of which operation if of one. */
  let vain = { times: 0, last: Number.NEGATIVE_INFINITY, of: '' }
  /** Of a request that has the server for itself, and of those that are sent for it. */
  const isAlone = new AsyncLocalStorage<true>()
  /** Settles when nobody wants the server alone any more. */
  let turns: Promise<void> = Promise.resolve()
  let waiting = 0

  const noteShared = (): void => {
    if (inFlight > 1) lastShared = performance.now()
  }
  const noteOutcome = (request: HttpRequest | undefined, outcome: Outcome): void => {
    if (outcome.kind === 'failure' || request === undefined) return
    lastResponse = performance.now()
    lastHeard = lastResponse
    isGivenUp = false
    const [{ status }, isSafe] = [outcome.response, ['GET', 'HEAD', 'OPTIONS'].includes(request.method)]
    const isHarmless = isSafe ? status < 500 : status >= 400 && status < 500 && question === null
    if (isHarmless && request.raw === undefined && outcome.ms < shortestMs) question = request
  }
  /** Settles when the server answers: with the time of that, or null if it does not within a minute, or `isMeant` is false by then. */
  const answered = async (isMeant: () => boolean, limits: WaitLimits): Promise<number | null> => {
    const began = performance.now()
    const end = question === null ? () => {} : onWait(question)
    try {
      for (let wait: number = pause.first; !isGivenUp && !isOver(limits) && isMeant(); ) {
        const outcome = question === null ? null : await ask(question)
        if (outcome !== null && isRefused(outcome)) return null
        if (outcome?.kind === 'response') lastHeard = performance.now()
        if (outcome === null || !isHanging(outcome)) return performance.now()
        if (performance.now() - began > longest.ms) isGivenUp = true
        await delay(wait, limits)
        wait = Math.min(pause.most, wait * pause.factor)
      }
      return null
    } finally {
      end()
    }
  }
  const whileAlone = async <T>(send: (leave: () => void) => Promise<T>): Promise<T> => {
    const before = turns
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting += 1
    turns = promise
    const leave = (): void => resolve()
    void promise.then(() => {
      waiting -= 1
    })
    await before
    return isAlone.run(true, () => send(leave)).finally(leave)
  }
  const hungAlone = <Sent extends Attempt>(of: string, sent: Sent): Sent => {
    onHang(sent.testCase.request)
    hangsAlone.set(of, (hangsAlone.get(of) ?? 0) + 1)
    return sent
  }
  const shown = <Sent extends Attempt>(of: string, sent: Sent, blockedMs: number): Sent => {
    if (sent.outcome.kind !== 'failure') return sent
    if (blockedMs < shortestMs + sent.outcome.ms) return hungAlone(of, sent)
    blocking.set(of, { times: (blocking.get(of)?.times ?? 0) + 1, last: performance.now() })
    const detail = `${sent.outcome.detail}, and none to anything else for ${Math.round(blockedMs / 1000)} s`
    return { ...sent, outcome: { ...sent.outcome, detail, blockedMs } }
  }
  /** Sends a case, and asks beside it whether the server answers: `blockedMs`, if it hung, is how long it did not. `onServed`: called once it does. */
  const sentAndAsked = async <Sent extends Attempt>(
    send: () => Promise<Sent>,
    onServed: () => void,
    limits: WaitLimits,
  ): Promise<{ readonly sent: Sent; readonly blockedMs: number | null }> => {
    const began = performance.now()
    let isMeant = true
    const asking = delay(Math.min(alone.ms, timeoutMs() * alone.share), limits).then(() =>
      answered(() => isMeant, limits),
    )
    void asking.then(time => time !== null && onServed())
    const sent = await send()
    isMeant = false
    if (!isHanging(sent.outcome) || sent.missing !== undefined) return { sent, blockedMs: null }
    const end = (await asking) ?? (await answered(() => true, limits)) ?? performance.now()
    return { sent, blockedMs: end - began }
  }
  /** Sends a case while nothing else is in flight. `leave`: called once others may be sent. */
  const sentAlone = async <Sent extends Attempt>(
    of: string,
    send: () => Promise<Sent>,
    leave: () => void,
    limits: WaitLimits,
  ): Promise<Sent> => {
    if (inFlight > 0)
      await Promise.race([new Promise<void>(resolve => whenIdle.push(resolve)), delay(alone.ms, limits)])
    // What is answered beside it does not wait for it.
    const onServed = (): void => {
      lastServed = performance.now()
      leave()
    }
    const { sent, blockedMs } = await sentAndAsked(send, onServed, limits)
    return blockedMs === null ? sent : shown(of, sent, blockedMs)
  }
  return {
    watched: async (requests, send) => {
      inFlight += 1
      noteShared()
      try {
        const sent = await send()
        for (const [index, outcome] of [sent].flat().entries()) noteOutcome(requests[index], outcome)
        return sent
      } finally {
        noteShared()
        inFlight -= 1
        if (inFlight === 0) for (const settle of whenIdle.splice(0)) settle()
      }
    },
    resolved: async (of, { send, again, leftOut }, limits) => {
      if (isAlone.getStore() === true) return send()
      let began = performance.now()
      // Each of these takes its time.
      const isKnown = (): boolean => {
        const known = blocking.get(of)
        return known !== undefined && known.times >= enough && known.last > began
      }
      if (blocking.has(of))
        return whileAlone(async leave =>
          isKnown() ? leftOut(unresolved.similar) : sentAlone(of, send, leave, limits),
        )
      while (waiting > 0) await turns
      began = performance.now()
      const first = await send()
      const isSilent = lastResponse < performance.now() - first.outcome.ms * silentShare
      if (!isHanging(first.outcome) || !isSilent || isGivenUp) return first
      const isShared = lastShared >= began
      // What waits for a lock that nobody releases hangs whatever else is sent.
      if (blocking.size === 0 && (hangsAlone.get(of) ?? 0) >= enough) return hungAlone(of, first)
      const hungAt = performance.now()
      if (isShared && vain.of === of && vain.times >= mostVain && began > vain.last) return first
      return whileAlone(async leave => {
        if (isShared && isKnown()) return leftOut(unresolved.similar)
        const back = await answered(() => true, limits)
        if (back === null && performance.now() - lastHeard > longest.atTheEnd) isGivenUp = true
        if (isShared && isOver(limits) && !isGivenUp) return leftOut(unresolved.cut)
        if (back === null) return first
        if (!isShared) return shown(of, first, back - began)
        if (blocking.size === 0 && lastServed > hungAt) {
          // The server answers while another one of those is in flight, so that this one need not be alone either, if it does so all the time.
          leave()
          const { sent, blockedMs } = await sentAndAsked(again, () => {}, limits)
          const isServing = blockedMs === null || blockedMs < shortestMs + sent.outcome.ms
          if (sent.missing !== undefined || !isServing) return leftOut(unresolved.together)
          return blockedMs === null ? sent : hungAlone(of, sent)
        }
        onDoubt()
        const second = await sentAlone(of, again, leave, limits)
        if (second.missing !== undefined) return first
        if (isHanging(second.outcome)) return second
        const times = vain.of === of ? vain.times + Number(began > vain.last) : 1
        vain = { times, last: performance.now(), of }
        return second
      })
    },
    isBy: operation => blocking.has(operation),
    hangs: operation => hangsAlone.get(operation) ?? 0,
    silence: () => (isGivenUp ? performance.now() - lastHeard : null),
    asked: () => (question === null ? null : ask(question)),
    hasAnswered: () => !Number.isNaN(lastResponse),
  }
}
