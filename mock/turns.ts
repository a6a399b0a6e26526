import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection: the request whose answer is due, those that wait behind it, and what ends it after them. */
type Line = {
  current: ServerResponse | null
  /** Whether the current request will be answered in a while. */
  owed: boolean
  readonly waiting: Turn[]
  paused: boolean
  last: (() => void) | null
}

type Turn = { readonly response: ServerResponse; readonly answer: () => void }

/** Who is answered when: one request of a connection after the other, in their order (RFC 9112 9.3.2). */
export type Turns = {
  readonly enter: (socket: Socket) => void
  /** Calls `answer` when all requests before this one are answered. */
  readonly take: (response: ServerResponse, answer: () => void) => void
  /**
   * Calls `refuse` when all requests that came whole are answered; with the response of the one that did not, where it
   * is due. Nothing that comes later is answered.
   */
  readonly takeLast: (socket: Socket, refuse: (response: ServerResponse | null) => void) => void
  /** The current request gets no answer that ends by itself. */
  readonly letGo: (socket: Socket) => void
  /** Whether a connection's answer should be its last. */
  readonly isEnding: (socket: Socket) => boolean
  /** Whether the last request of a connection has not come whole. */
  readonly isCut: (socket: Socket) => boolean
  /** Ends every connection, at once or after the answers that are due. */
  readonly end: () => void
}

// More than these are left in the client's hands: pipelining takes no memory without a bound.
const mostWaiting = 64

/**
 * Stops reading. Node reads on after every message, whoever paused; and who pauses twice is heard but once, so the event
 * that stops it is given here.
 */
const hold = (socket: Socket): void => {
  socket.pause()
  socket.emit('pause')
}

/** Only the request that came last can be one that did not come whole. */
const cutOf = ({ current, waiting }: Line): ServerResponse | null => {
  const newest = waiting.at(-1)?.response ?? current
  return newest?.req.complete === false ? newest : null
}

export const createTurns = (): Turns => {
  const lines = new Map<Socket, Line>()
  let ending = false

  const next = (socket: Socket, line: Line): void => {
    if (!lines.has(socket)) return
    line.current = null
    const turn = line.waiting.shift()
    if (line.paused && line.waiting.length <= mostWaiting / 2) {
      line.paused = false
      socket.resume()
    }
    if (turn !== undefined) {
      line.current = turn.response
      line.owed = true
      turn.answer()
    } else if (line.last !== null) line.last()
    else if (ending) socket.destroySoon()
  }

  return {
    enter: socket => {
      const line: Line = { current: null, owed: false, waiting: [], paused: false, last: null }
      lines.set(socket, line)
      socket.once('close', () => lines.delete(socket))
      socket.on('resume', () => {
        if (line.paused) hold(socket)
      })
    },
    take: (response, answer) => {
      const { socket } = response.req
      const line = lines.get(socket)
      if (line === undefined || line.last !== null) return
      response.on('close', () => next(socket, line))
      if (line.current === null) {
        line.current = response
        line.owed = true
        answer()
        return
      }
      line.waiting.push({ response, answer })
      if (line.waiting.length < mostWaiting) return
      line.paused = true
      hold(socket)
    },
    takeLast: (socket, refuse) => {
      const line = lines.get(socket)
      if (line === undefined || line.last !== null) return
      const response = cutOf(line)
      const { current } = line
      line.last = () => refuse(response)
      if (response !== null && response !== current) line.waiting.pop()
      else if (response?.headersSent === true) socket.destroySoon()
      else if (response !== null || current === null) line.last()
      // Node ends a half-closed connection after the answer that it takes for the last; there is one more.
      if (line.current !== response) socket.destroySoon = () => {}
    },
    letGo: socket => {
      const line = lines.get(socket)
      if (line !== undefined) line.owed = false
      if (ending) socket.destroy()
    },
    isEnding: socket => ending && lines.get(socket)?.waiting.length === 0,
    isCut: socket => {
      const line = lines.get(socket)
      return line !== undefined && cutOf(line) !== null
    },
    end: () => {
      ending = true
      for (const [socket, { current, owed }] of lines) if (current === null || !owed) socket.destroy()
    },
  }
}
