import { describe } from 'vitest'
import { challengeServers, lawfulChallengeServers } from '../../broken-servers/index.ts'
import { hunt, huntAlarms } from './hunt.ts'

// Each obligation once is enough: what is judged is every answer.
const rules = { unauthenticated: '401', cases: 300 } as const

describe('a wrong 401 is found where a 401 is allowed', () => {
  hunt(challengeServers, rules)
})

describe('a right 401 raises no alarm where a 401 is allowed', () => {
  huntAlarms(lawfulChallengeServers, rules)
})
