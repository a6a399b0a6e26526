import { malformedHttpKinds } from '../../../spec/index.ts'
import { finiteStrategy, type PlainSpec, type Strategy } from './strategy.ts'

/** Each way of one kind of malformed HTTP; for `recovery` a valid request after one way of each kind. */
export const protocolStrategy = (name: string, plain: PlainSpec): Strategy =>
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
        ...plain(number),
        malformedHttp: { name, pick: index },
      }))

const waysOf = (name: string): number =>
  malformedHttpKinds
    .find(kind => kind.name === name)
    ?.make({ method: 'POST', target: '/', lines: [], body: '{}' }).length ?? 0
