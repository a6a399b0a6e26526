import { wireKinds } from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { finite, type Maker } from './maker.ts'

/** Each kind in each of its ways; and after one way of each kind a valid request. */
export const wireMaker = (name: string, base: (number: number) => Draft): Maker =>
  name === 'recovery'
    ? finite(
        wireKinds.length,
        (index, number) => ({ ...base(number), wire: { name: wireKinds[index]?.name ?? '', pick: 0 } }),
        'after-wire',
      )
    : finite(waysOf(name), (index, number) => ({ ...base(number), wire: { name, pick: index } }))

const waysOf = (name: string): number =>
  wireKinds.find(kind => kind.name === name)?.make({ method: 'POST', target: '/', lines: [], body: '{}' })
    .length ?? 0
