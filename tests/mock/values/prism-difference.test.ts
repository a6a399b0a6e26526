import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contracts } from '../../spec/contracts.ts'
import { differences, kinds } from './prism-difference.ts'
import { type Pair, pairsOf } from './prism-response.ts'

test('the mock responds as prism-http does, except for the differences that docs/prism.md lists', async () => {
  const found = new Set<string>()
  const unlisted: string[] = []
  let same = 0
  for (const contract of Object.values(contracts))
    for (const pair of await pairsOf(contract, 700)) {
      const kindsOfPair = differences(contract, pair)
      if (kindsOfPair.length === 0) same += 1
      for (const kind of kindsOfPair) {
        if (typeof kind === 'string') found.add(kind)
        else unlisted.push(described(pair, kind.unlisted))
      }
    }
  expect(unlisted).toEqual([])
  expect([...found].sort()).toEqual([...kinds].sort())
  expect(same).toBeGreaterThan(20)
}, 60_000)

test('docs/prism.md lists every kind of difference, and no other', () => {
  const text = readFileSync(new URL('../../../docs/prism.md', import.meta.url), 'utf8')
  expect([...text.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, kind]) => kind)).toEqual([...kinds])
})

const described = ({ obligation, method, target, body }: Pair, what: string): string =>
  `${what} · ${obligation} · ${method} ${target} ${Buffer.from(body ?? [])
    .toString()
    .slice(0, 300)}`
