import { expect } from 'vitest'
import { verify } from '../conformance/index.ts'
import { conclusionSoFar } from './conclusion-so-far.ts'
import { testExamples, exampleToken as token } from './example-servers.ts'

/** The second run finds the plants of the first one, and the third also sends malformed HTTP. */
const runs = [
  { strict: true },
  { strict: true, cases: 300, sustained: 0 },
  { malformedHttp: true, cases: 400, sustained: 0 },
] as const

testExamples(
  name => `the ${name} server conforms strictly, also in a second run, and withstands malformed HTTP`,
  { timeout: 120_000, concurrent: true },
  async target => {
    for (const options of runs) {
      const ledger = await verify({ target, token, seed: 11, timeoutMs: 15_000, ...options })
      const counted = ledger.findings.filter(({ level }) => level === 'MUST' || 'strict' in options)
      expect({ conclusion: conclusionSoFar(ledger), counted }).toEqual({
        conclusion: 'conformant',
        counted: [],
      })
    }
  },
)
