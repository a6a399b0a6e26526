/** The suite has no alarm for a mock that keeps what it is sent. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { startMock } from '../client.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

test.each([
  ['plants', '../../state/plants.openapi.yaml'],
  ['shelves', '../../state/shelves.openapi.yaml'],
])(
  '%s: conformant with --strict, and every requirement of the family state is met',
  { timeout: 120_000 },
  async (_name, file) => {
    const contract = await loadContract({ from: fileOf(file) })
    const mock = await startMock({ contract, stateful: true, tokens: ['secret'] })
    const { findings, end, entries } = await verify({
      target: mock.url,
      contract,
      token: 'secret',
      seed: 1,
      sustained: 0,
      strict: true,
    })
    expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
    expect(end?.conclusion).toBe('conformant')
    const state = entries.filter(({ obligation }) => obligation.family === 'state')
    expect(state.filter(({ verdict }) => verdict.kind !== 'passed')).toEqual([])
    expect(state.length).toBeGreaterThan(15)
  },
)
