import { describe } from 'vitest'
import { challengeServers, lawfulChallengeServers } from '../broken-servers/index.ts'
import { expectFaults, expectNoFalseAlarms } from './expect-faults.ts'

// One case for each obligation is enough, because every response is judged.
const rules = { unauthenticated: '401', cases: 300 } as const

describe('an invalid 401 is found under a policy that allows a 401', () => {
  expectFaults(challengeServers, rules)
})

describe('a valid 401 raises no false alarm under a policy that allows a 401', () => {
  expectNoFalseAlarms(lawfulChallengeServers, rules)
})
