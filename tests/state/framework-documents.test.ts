/** Documents as frameworks write them (those of the services of bench/frameworks): nothing of them is refused, and the mock keeps to them. */

import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { loadContract } from '../../spec/index.ts'

const folder = fileURLToPath(new URL('../documents/frameworks', import.meta.url))
/**
 * What the mock cannot know: that a resource is gone is no declared answer of these, and what page or filter a list shows by default
 * is not said by any name that it knows.
 */
const known: Readonly<Record<string, readonly string[]>> = {
  'drf.json': ['artists_destroy/state/gone', 'records_destroy/state/gone'],
  'fastify.json': ['listBooks/state/contains'],
  'springdoc.json': [
    'deleteRoom/state/gone',
    'listRooms/state/contains',
    'listRooms/state/items',
    'listRooms/stability/consistency',
  ],
  'tsoa.json': ['ListRentals/state/contains', 'ListRentals/stability/consistency'],
}

const documents = globSync('*.json', { cwd: folder }).toSorted()

test.each(documents)('%s is read as a whole, and the mock passes its own tests with it', async name => {
  const contract = await loadContract({ from: `${folder}/${name}` })
  expect(contract.leftOut).toEqual([])
  expect(contract.operations.length).toBeGreaterThanOrEqual(10)
  const mock = await createMock({ contract, tokens: ['secret-token'], stateful: true, warn: () => {} })
  onTestFinished(mock.close)
  for (const seed of [1, 2]) {
    const ledger = await verify({
      ...{ target: mock.url, contract, token: 'secret-token', seed },
      ...{ cases: 300, strict: true, sustained: 0, include: ['*'] },
    })
    const unknown = ledger.findings.filter(({ obligation }) => known[name]?.includes(obligation) !== true)
    expect(unknown.map(({ title, obligation }) => `${title} (${obligation})`)).toEqual([])
  }
})
