import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Plan } from './plan.ts'
import { readResponses } from './read-responses.ts'

/** The result of a connection. `ended`: the mock closed it. */
export type Conversation = {
  readonly received: Buffer
  readonly outcome: 'answered' | 'ended' | 'hung' | 'unreachable'
}

/** Sends a plan over a connection of its own, and reads until all responses came, the mock ends it, or the time is up. */
export const converse = (port: number, plan: Plan, boundMs: number): Promise<Conversation> =>
  new Promise(resolve => {
    const parts: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let connected = false
    const done = (outcome: Conversation['outcome']): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ received: Buffer.concat(parts), outcome })
    }
    const timer = setTimeout(() => done('hung'), boundMs)
    const isHead = (index: number): boolean => plan.sent[index]?.message.method === 'HEAD'
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      if (plan.end !== 'wait') return
      const { responses, problem } = readResponses(Buffer.concat(parts), isHead)
      if (problem !== null || responses.length >= plan.sent.length) done('answered')
    })
    socket.on('end', () => socket.end())
    // Bytes after an end reset the connection; what was received before counts.
    socket.on('error', () => {})
    socket.on('close', () => done(connected ? 'ended' : 'unreachable'))
    socket.on('connect', async () => {
      connected = true
      for (const [index, piece] of plan.pieces.entries()) {
        if (index > 0) await turn()
        if (socket.destroyed || socket.writableEnded) return
        socket.write(piece)
      }
      if (plan.end === 'half') socket.end()
      if (plan.end === 'gone') socket.resetAndDestroy()
    })
  })
