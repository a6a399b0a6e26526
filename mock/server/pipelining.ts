import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of one connection that have no response yet. */
type Connection = {
  current: ServerResponse | null
  /** Whether the response to the current request will end by itself. */
  owed: boolean
  readonly waiting: Waiting[]
  paused: boolean
  /** Ends the connection after all responses that are due; null: it goes on. */
  last: (() => void) | null
  /** Whether the current response is the last, whatever was asked meanwhile. */
  isLeft: boolean
}

type Waiting = { readonly response: ServerResponse; readonly respond: () => void }

/** Responds to the requests of a connection one after the other, in their order (RFC 9112, 9.3.2). */
export type Pipelining = {
  readonly open: (socket: Socket) => void
  /** Calls `respond` after the responses to all earlier requests. */
  readonly enqueue: (response: ServerResponse, respond: () => void) => void
  /**
   * Calls `reject` after the responses to all complete requests, with the response to the incomplete one if there is one.
   * Requests that come later get no response.
   */
  readonly enqueueLast: (socket: Socket, reject: (response: ServerResponse | null) => void) => void
  /** The response to the current request will not end by itself. */
  readonly release: (socket: Socket) => void
  /** Ends the connection after the current response, or at once if there is none: further requests get no response. */
  readonly leave: (socket: Socket) => void
  /** Whether the current response should be the last of its connection. */
  readonly isEnding: (socket: Socket) => boolean
  /** Whether the newest request of a connection is incomplete. */
  readonly isIncomplete: (socket: Socket) => boolean
  /** Ends every connection, at once or after the responses that are due. */
  readonly end: () => void
}

// The server reads no further while so many requests wait: a client that pipelines takes no more memory than that.
const maxWaiting = 64

/**
 * Stops reading. Node resumes reading after every message, and emits `pause` only if the socket was not paused, so the
 * event is emitted here.
 */
const pause = (socket: Socket): void => {
  socket.pause()
  socket.emit('pause')
}

/** The newest request if it is incomplete; no other can be. */
const incompleteOf = ({ current, waiting }: Connection): ServerResponse | null => {
  const newest = waiting.at(-1)?.response ?? current
  return newest?.req.complete === false ? newest : null
}

export const createPipelining = (): Pipelining => {
  const connections = new Map<Socket, Connection>()
  let ending = false

  const next = (socket: Socket, connection: Connection): void => {
    if (!connections.has(socket)) return
    connection.current = null
    if (connection.isLeft) socket.destroySoon()
    // What follows the last response is not asked for any more.
    if (!socket.writable) return
    const waiting = connection.waiting.shift()
    if (connection.paused && connection.waiting.length <= maxWaiting / 2) {
      connection.paused = false
      socket.resume()
    }
    if (waiting !== undefined) {
      connection.current = waiting.response
      connection.owed = true
      waiting.respond()
    } else if (connection.last !== null) connection.last()
    else if (ending) socket.destroySoon()
  }

  return {
    open: socket => {
      const connection: Connection = {
        current: null,
        owed: false,
        waiting: [],
        paused: false,
        last: null,
        isLeft: false,
      }
      connections.set(socket, connection)
      socket.once('close', () => connections.delete(socket))
      socket.on('resume', () => {
        if (connection.paused) pause(socket)
      })
    },
    enqueue: (response, respond) => {
      const { socket } = response.req
      const connection = connections.get(socket)
      if (connection === undefined || connection.last !== null || !socket.writable) return
      response.on('close', () => next(socket, connection))
      if (connection.current === null) {
        connection.current = response
        connection.owed = true
        respond()
        return
      }
      connection.waiting.push({ response, respond })
      if (connection.waiting.length < maxWaiting) return
      connection.paused = true
      pause(socket)
    },
    enqueueLast: (socket, reject) => {
      const connection = connections.get(socket)
      if (connection === undefined || connection.last !== null) return
      const response = incompleteOf(connection)
      const { current } = connection
      connection.last = () => reject(response)
      if (response !== null && response !== current) connection.waiting.pop()
      else if (response?.headersSent === true) socket.destroySoon()
      else if (response !== null || current === null) connection.last()
      // Node ends a half-closed connection after the response that it takes for the last one; here one more follows.
      if (connection.current !== response) socket.destroySoon = () => {}
    },
    release: socket => {
      const connection = connections.get(socket)
      if (connection !== undefined) connection.owed = false
      if (ending) socket.destroy()
    },
    leave: socket => {
      const connection = connections.get(socket)
      if (connection === undefined) return
      connection.isLeft = true
      if (connection.current === null) socket.destroySoon()
    },
    isEnding: socket => ending && connections.get(socket)?.waiting.length === 0,
    isIncomplete: socket => {
      const connection = connections.get(socket)
      return connection !== undefined && incompleteOf(connection) !== null
    },
    end: () => {
      ending = true
      for (const [socket, { current, owed }] of connections) if (current === null || !owed) socket.destroy()
    },
  }
}
