import type { RunWatch } from '../../../spec/index.ts'
import type { Transport } from './index.ts'

/** The same transport, which says what it is sending. */
export const watched = (transport: Transport, { sending }: RunWatch): Transport => ({
  ...transport,
  send: async (request, onSend) => {
    const done = sending(request)
    try {
      return await transport.send(request, onSend)
    } finally {
      done()
    }
  },
})
