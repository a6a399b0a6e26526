import { describe, expect, test } from 'vitest'
import { type Difference, evolve } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { confirm } from './confirm.ts'
import { pairs } from './pairs.ts'
import { store } from './store.ts'

const load = (document: object) =>
  loadContract({ from: writeDocument('api.json', JSON.stringify(document, null, 2)) })

const old = await load(store())

const told = ({ level, concerns, requirement, message }: Difference): string =>
  `${concerns === 'old-servers' ? 'old servers' : level} ${requirement ?? message}`

describe('of one change', () => {
  const cases = pairs.map(([name, edit, ...expected]) => ({ name, edit, expected }))
  test.each(cases)('$name', async ({ edit, expected }) => {
    const changed = store()
    edit(changed)
    const now = await load(changed)
    const { differences, undecided } = await evolve(old, now)
    expect(differences.map(told)).toEqual(expected)
    expect(undecided).toEqual([])
    for (const each of differences) {
      expect(confirm(each, old, now)).toBe(true)
      const [allowing, ruling] =
        (each.part === 'request') === (each.concerns === 'old-clients')
          ? [each.old, each.new]
          : [each.new, each.old]
      if (each.witness !== null) {
        expect(allowing.violated).toEqual([])
        expect(ruling.violated).not.toEqual([])
      }
    }
  })
})
