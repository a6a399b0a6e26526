import type { Subject } from '../../../spec/index.ts'
import type { OperationModel } from '../operation-model.ts'
import { withAllOptional } from '../with-optional.ts'
import { finiteStrategy, type PlainSpec, type Strategy } from './strategy.ts'

/** Requests of each kind. */
export const stabilityCases = { pairing: 96, consistency: 24, drift: 24, recovery: 12 } as const

/** Valid requests, plain and with all that is optional by turns: what matters is when and beside what they are sent. */
export const stabilityStrategy = (
  model: OperationModel,
  { name }: Extract<Subject, { kind: 'stability' }>,
  plain: PlainSpec,
): Strategy | null =>
  name === 'connection'
    ? null
    : finiteStrategy(
        stabilityCases[name],
        (index, number) => (index % 2 === 0 ? plain(number) : withAllOptional(model, plain(number), number)),
        name === 'recovery' ? 'after-rejected' : 'none',
      )
