import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type VerifyOptions, verify } from '../../conformance/index.ts'
import { type Contract, type Ledger, loadContract } from '../../spec/index.ts'
import { writeDocument } from '../spec/contracts.ts'
import type { OrderServer } from './order-server.ts'

const document = readFileSync(fileURLToPath(new URL('orders.openapi.yaml', import.meta.url)), 'utf8')

/** The contract of the orders, with these texts of its document replaced. */
export const orderContract = (
  ...edits: readonly (readonly [from: string, to: string])[]
): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'orders.openapi.yaml',
      edits.reduce((text, [from, to]) => text.replaceAll(from, to), document),
    ),
  })

/** Verifies what keys and conditions are for. */
export const verifyOrders = (
  { url }: Pick<OrderServer, 'url'>,
  options: Partial<VerifyOptions> & { readonly contract: Contract },
): Promise<Ledger> =>
  verify({
    ...{ target: url, include: ['*'], seed: 1, sustained: 0, strict: true },
    only: ['*/idempotency/*', '*/conditional/*'],
    ...options,
  })

/** The verdicts of both families, with the reasons why requirements are untested. */
export const verdictsIn = ({ entries }: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation, verdict }) =>
      ['idempotency', 'conditional'].includes(obligation.family)
        ? [
            [
              obligation.id,
              verdict.kind === 'untested' ? `untested: ${verdict.reason}` : verdict.kind,
            ] as const,
          ]
        : [],
    ),
  )
