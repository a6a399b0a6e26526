import { describe, expect, test } from 'vitest'
import { brokenServers, challengeServers, lawfulChallengeServers } from '../broken-servers/index.ts'
import { expectFaults, expectNoFalseAlarms } from './expect-faults.ts'
import { hints } from './hints.ts'

// One case for each obligation is enough, because every response is judged.
const rules = { unauthenticated: '401', cases: 300 } as const

describe('an invalid 401 is found under a policy that allows a 401', () => {
  expectFaults(challengeServers, rules)
})

describe('a valid 401 raises no false alarm under a policy that allows a 401', () => {
  expectNoFalseAlarms(lawfulChallengeServers, rules)
})

test('every hint that is expected belongs to a server', () => {
  const names = [...brokenServers, ...challengeServers].map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(hints)))
})
