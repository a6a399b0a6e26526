import { malformedHttpKinds } from '../../../spec/index.ts'
import { withText } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Of several bytes a character: some servers decode each part of a body alone. */
const text = '植物'

/** Each way of one kind of malformed HTTP; for `recovery` a valid request after one way of each kind. */
export const protocolStrategy = (context: StrategyContext, name: string, plain: PlainSpec): Strategy =>
  name === 'recovery'
    ? finiteStrategy(
        malformedHttpKinds.length,
        (index, number) => ({
          ...plain(number),
          malformedHttp: { name: malformedHttpKinds[index]?.name ?? '', pick: 0 },
        }),
        'after-malformed',
      )
    : finiteStrategy(waysOf(name), (index, number) => ({
        ...(name === 'chunk-many' ? withText(context, plain(number), text) : plain(number)),
        malformedHttp: { name, pick: index },
      }))

const waysOf = (name: string): number =>
  malformedHttpKinds
    .find(kind => kind.name === name)
    ?.make({ method: 'POST', target: '/', lines: [], body: '{}' }).length ?? 0
