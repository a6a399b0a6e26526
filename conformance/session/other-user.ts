import { deriveSeed } from '../../generator/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import { createPool, type Pool } from '../pool/pool.ts'
import { asOtherTransport } from '../send/as-other.ts'
import type { Transport } from '../send/transport/index.ts'
import { type CreatedInstances, createdInstances } from '../state/created-instances.ts'
import type { OtherUser } from '../state/other-steps.ts'
import type { Store } from '../state/store.ts'
import { createTrialAnswers } from './trial-answers.ts'

type Parts = {
  readonly options: RunOptions
  readonly transport: Transport
  readonly created: CreatedInstances
  readonly pool: Pool
}

export type Other<S> = {
  /** Opens its session when it is first asked for; null: the run knows of one user alone. */
  readonly user: () => OtherUser | null
  readonly opened: () => S | null
}

/** Another user: a session of its own on the same server, with its own token, names, values and resources. */
export const createOther = <P extends Parts, S extends { readonly store: Store }>(
  parts: P,
  open: (parts: P) => S,
): Other<S> => {
  const { options, transport } = parts
  const { otherToken, seed, contract } = options
  let session: S | null = null
  let user: OtherUser | null = null
  return {
    opened: () => session,
    user: () => {
      if (otherToken === null || user !== null) return user
      const created = createdInstances()
      session = open({
        ...parts,
        transport: asOtherTransport(transport),
        created,
        pool: createPool(contract.operations),
        answers: createTrialAnswers(),
        options: {
          ...options,
          seed: deriveSeed(seed, 'other user'),
          token: otherToken,
          otherToken: null,
        },
      })
      const { makerOf, instancePool } = session.store
      user = { makerOf, instancePool, own: new Map(), mayHave: created.add, problem: otherToken.problem }
      return user
    },
  }
}
