import { type VerifyOptions, verify } from '../../conformance/index.ts'
import type { Contract, Ledger } from '../../spec/index.ts'
import { type GardenServer, other, owner } from './garden-server.ts'

/** Verifies what one user is kept from that another has created. */
export const verifyGardens = (
  { url }: Pick<GardenServer, 'url'>,
  options: Partial<VerifyOptions> & { readonly contract: Contract },
): Promise<Ledger> =>
  verify({
    ...{ target: url, token: owner, otherToken: other, include: ['*'], seed: 1, sustained: 0, strict: true },
    only: ['*/ownership/*'],
    ...options,
  })

/** The verdicts of a family, without what was left out. */
export const verdictsIn = ({ entries }: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation, verdict }) =>
      obligation.family === 'ownership' ? [[obligation.id, verdict.kind] as const] : [],
    ),
  )
