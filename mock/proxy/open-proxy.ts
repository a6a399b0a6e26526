import type { Middleware, ServedDocument } from '../engine/context.ts'
import type { Clock, Journal } from '../middleware/journal.ts'
import { type CallbackListener, openCallbackListener } from './callback-listener.ts'
import { createForward } from './forward.ts'
import type { Forwarding } from './options.ts'

/** Both directions of a proxy: to the server, and if it listens, from the server to its clients. Throws ListenError. */
export const openProxy = async (
  forwarding: Forwarding,
  documents: () => readonly ServedDocument[],
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
): Promise<{ readonly forward: Middleware; readonly hearing: CallbackListener | null }> => {
  const { listen, maxBodyBytes } = forwarding
  const document = documents()[0] as ServedDocument
  const forward = createForward(forwarding, document)
  const hearing =
    listen === undefined
      ? null
      : await openCallbackListener(listen, document, { journal, clock, maxBodyBytes })
  return { forward, hearing }
}
