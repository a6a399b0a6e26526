import { describe } from 'vitest'
import { challengeServers, lawfulChallengeServers } from '../broken-servers/index.ts'
import { hunt, huntAlarms } from './hunt.ts'

// Each obligation once is enough: what is judged is every answer.
const rules = { unauthenticated: '401', cases: 300 } as const

describe('where a 401 is allowed, a broken one is found', () => {
  hunt(challengeServers, rules)
})

describe('where a 401 is allowed, a lawful one raises no alarm', () => {
  huntAlarms(lawfulChallengeServers, rules)
})
