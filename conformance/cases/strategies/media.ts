import type { Subject } from '../../../spec/index.ts'
import { withRandomBody } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Valid bodies with each of these Content-Types. */
export const mediaStrategy = (
  context: StrategyContext,
  { contentTypes }: Extract<Subject, { kind: 'media' }>,
  plain: PlainSpec,
): Strategy => {
  const size = Math.max(2, contentTypes.length)
  return finiteStrategy(size, (index, number) => ({
    ...(index < size ? plain(number) : withRandomBody(context, plain(number), number)),
    contentType: contentTypes[index % contentTypes.length] ?? null,
  }))
}
