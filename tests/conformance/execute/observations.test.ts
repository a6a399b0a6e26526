import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import type { Verdict } from '../../../spec/index.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { brokenStore, storeWith } from '../../cli/servers.ts'

const questions = ['undeclared-property', 'duplicate-id', 'large-body', 'lone-surrogate', 'duplicate-names']

/** The verdicts about open questions, by their name. */
const observed = async (server: ReturnType<typeof storeWith>): Promise<ReadonlyMap<string, Verdict>> =>
  during(server, async ({ url, token }) => {
    const { entries } = await verify({ target: url, token, seed: 7, cases: 400, sustained: 0 })
    return new Map(entries.map(({ obligation, verdict }) => [obligation.id.split('/').at(-1) ?? '', verdict]))
  })

const observations = (verdicts: ReadonlyMap<string, Verdict>) =>
  questions.map(name => {
    const verdict = verdicts.get(name)
    return [name, verdict?.kind === 'observed' ? verdict.observation : verdict?.kind]
  })

test('a server that rejects plants without a tag is asked open questions about plants with one', async () => {
  const lawful = observations(await observed(storeWith({})))
  expect(lawful.every(([, text]) => text?.startsWith('accepted'))).toBe(true)
  expect(observations(await observed(brokenStore('requires-tag')))).toEqual(lawful)
})

test('a rejection that has its own reason is kept', async () => {
  const verdicts = await observed(
    storeWith({
      body: value => lawfulParts.body(value) && !Object.hasOwn(value as object, 'undeclared'),
      tag: value => typeof value === 'string',
    }),
  )
  expect(Object.fromEntries(observations(verdicts))).toMatchObject({
    'undeclared-property': 'rejected (400 error 1)',
    'duplicate-id': 'accepted (200)',
  })
})
