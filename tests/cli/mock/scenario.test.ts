/** Scenarios as a user types them, and what verify finds in a mock that has them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'
import { emptyFolder, plantstore, type Started, start } from '../command.ts'

const fileOf = (text: string, name = 'sets.yaml'): string => {
  const file = join(emptyFolder(), name)
  writeFileSync(file, text)
  return file
}

/** Each set violates the contract in one way, or not at all. */
const sets = fileOf(`
sets:
  calm: {}
  slow: { createPlant: { delay: [0, 3] } }
  no duplicates: { createPlant: { duplicates: reject } }
  by 401: { createPlant: { unauthenticated: '401' } }
  fails: { createPlant: { status: 400, code: 7 } }
  down: { createPlant: { status: 503, undeclared: true } }
  flaky: { createPlant: { status: 400, every: 3 } }
  takes all: { '*': { status: 200 } }
  limited: { createPlant: { limit: { requests: 20, seconds: 3600 } } }
  malformed: { createPlant: { fault: malformed } }
  cut: { createPlant: { fault: truncate } }
  reset: { createPlant: { fault: reset } }
  hangs: { createPlant: { fault: hang } }
  breaks: { createPlant: { breaks: createPlant/request/body/name/required } }
`)

let mock: Started
let url = ''
beforeAll(async () => {
  mock = start(['mock', '--port', '0', '--token', 't', '--seed', '3', '--scenario-file', sets])
  url = (await mock.shows(/at (http:\S+)/))[1] ?? ''
})
afterAll(async () => {
  mock.kill('SIGTERM')
  await mock.ended
})

/** Verifies the mock as a client for which this set is active. */
const verified = async (set: string, options: Partial<VerifyOptions> = {}) => {
  const headers = { 'Plantstore-Client': set }
  const switched = await fetch(`${url}/__plantstore/sets/${encodeURIComponent(set)}`, {
    method: 'POST',
    headers,
  })
  expect(await switched.json()).toMatchObject({ set })
  const ledger = await verify({
    ...{ target: url, token: 't', contract: contracts.plantStore, seed: 7, cases: 300 },
    headers: [['Plantstore-Client', set]],
    ...{ strict: true, sustained: 0, ...options },
  })
  const found = ledger.findings.filter(({ level }) => level === 'MUST').map(({ obligation }) => obligation)
  return { conclusion: conclusionSoFar(ledger), found }
}

test.concurrent.each<[string, Partial<VerifyOptions>]>([
  ['calm', {}],
  ['slow', {}],
  ['no duplicates', {}],
  ['by 401', { unauthenticated: '401' }],
])('the set %s violates nothing', async (set, options) => {
  expect(await verified(set, options)).toEqual({ conclusion: 'conformant', found: [] })
})

test.concurrent.each<[string, string, Partial<VerifyOptions>?]>([
  ['by 401', 'createPlant/response/declared'],
  ['flaky', 'createPlant/stability/consistency'],
  ['takes all', 'createPlant/auth/absent', { only: ['createPlant/auth'] }],
  ['limited', 'createPlant/stability/drift', { sustained: 300 }],
  ['malformed', 'createPlant/response/200/json'],
  ['cut', 'createPlant/response/200/length'],
  ['reset', 'createPlant/request/valid'],
  ['breaks', 'createPlant/request/body/name/required'],
  // A server that rejects every third request may look like one that takes values only once, in one run of a hundred.
])('the set %s violates the contract: verify finds %s', { retry: 2 }, async (set, id, options) => {
  const { conclusion, found } = await verified(set, { cases: 100, ...options })
  expect([conclusion, found]).toEqual(['nonconformant', expect.arrayContaining([id])])
})

test.concurrent.each<[string, Partial<VerifyOptions>]>([
  ['hangs', { timeoutMs: 300 }],
  ['fails', {}],
  ['down', {}],
])('the set %s lets no request through: verify comes to no verdict', async (set, options) => {
  expect(await verified(set, options)).toEqual({ conclusion: 'inconclusive', found: [] })
})

test('scenarios of the command line are active from the start, override the set, and are printed', async () => {
  const args = [
    '--scenario-file',
    sets,
    '--scenario-set',
    'slow',
    '--scenario',
    'createPlant:status=400,code=7',
  ]
  const other = start(['mock', '--port', '0', ...args, '--scenario', 'createPlant:message="no, no"'])
  const [, address = ''] = await other.shows(/at (http:\S+)/)
  const answer = await fetch(`${address}/plants`, { method: 'POST' })
  expect([answer.status, await answer.json()]).toEqual([400, { error: 7, message: 'no, no' }])
  other.kill('SIGTERM')
  const { stderr } = await other.ended
  expect(stderr).toContain('  scenario of createPlant: {"status":400,"code":7,"message":"no, no"}\n')
  expect(stderr).toContain('  scenario sets: calm, slow, no duplicates, ')
})

test.each<[string, readonly string[], string]>([
  [
    'a scenario that cannot be read',
    ['--scenario', 'status=400'],
    'the scenario "status=400" cannot be read: write it as OPERATION:key=value,key=value, such as *:status=400,delay=200',
  ],
  [
    'a mistake in a set',
    ['--scenario-file', fileOf('{"sets": {"x": {"createPlant": {"status": 404}}}}', 'sets.json')],
    'set x: createPlant: 404 is not declared (declared: 200, 400): add undeclared=true to break the contract on purpose',
  ],
])('%s is reported in one line, with exit code 2', async (_name, args, message) => {
  const { code, stderr } = await plantstore(['mock', '--port', '0', ...args])
  expect([code, stderr]).toEqual([2, `plantstore: ${message}\n`])
})

test('a file without sets is reported in one line, with exit code 2', async () => {
  const file = fileOf('createPlant: {status: 400}')
  const { code, stderr } = await plantstore(['mock', '--port', '0', '--scenario-file', file])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `plantstore: ${file} is not a file of scenario sets: write it as sets: {NAME: {OPERATION: {status: 400}}}, with no other key than sets\n`,
  )
})
