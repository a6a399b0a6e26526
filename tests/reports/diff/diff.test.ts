import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffJson, diffMarkdown, diffOf, diffText, isWorse } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { anyLedger } from '../ledgers.ts'
import { baselined, conformant, fiveFailures, inconclusive, partial } from '../runs.ts'

const ledgers = { conformant, fiveFailures, inconclusive, baselined, partial }
const between = (old: readonly RunEvent[], next: readonly RunEvent[]) =>
  diffOf(foldLedger(old), foldLedger(next))
const text = { colour: false, all: false }

describe('what changed', () => {
  test.each([
    ['conformant', 'fiveFailures'],
    ['fiveFailures', 'conformant'],
    ['conformant', 'inconclusive'],
    ['conformant', 'baselined'],
    ['conformant', 'partial'],
  ] as const)('from %s to %s', async (old, next) => {
    const diff = between(ledgers[old], ledgers[next])
    await expect(diffText(diff, text)).toMatchFileSnapshot(`golden/diff-${old}-${next}.txt`)
    await expect(diffMarkdown(diff)).toMatchFileSnapshot(`golden/diff-${old}-${next}.md`)
  })

  test('makes it worse if it is a new failure that nobody accepted', () => {
    expect(isWorse(between(conformant, fiveFailures))).toBe(true)
    expect(isWorse(between(fiveFailures, conformant))).toBe(false)
    expect(isWorse(between(conformant, baselined))).toBe(false)
    expect(between(conformant, baselined).newFailures).toHaveLength(1)
  })
})

/** The same run with its start event changed. */
const otherStart = (change: object): readonly RunEvent[] =>
  conformant.map(event => (event.type === 'start' ? { ...event, ...change } : event))

test('what makes two runs less comparable comes first', () => {
  const [first] = conformant
  if (first?.type !== 'start') throw new Error('no start')
  const other = otherStart({
    seed: 2,
    contract: { ...first.contract, digest: 'ffffffff00' },
    policies: { ...first.policies, strict: 'true' },
    selection: { only: ['createPlant/auth'], skip: [] },
  })
  const { differences } = between(conformant, other)
  expect(differences.map(line => line.replace(/:.*/s, ''))).toEqual([
    'contract',
    'seed',
    'selection',
    'policy strict',
  ])
  expect(diffText(between(conformant, other), text)).toContain(`  differs  ${differences[0]}\n`)
  expect(between(conformant, conformant).differences).toEqual([])
})

test('requirements that only one of the contracts has are listed as new or removed', () => {
  const [first] = conformant
  if (first?.type !== 'start') throw new Error('no start')
  const [removed, ...rest] = first.obligations
  const diff = between(conformant, otherStart({ obligations: rest }))
  expect(diff.removed.map(({ id }) => id)).toEqual([removed?.id])
  expect(between(otherStart({ obligations: rest }), conformant).added).toMatchObject([
    { id: removed?.id, before: null },
  ])
})

test('a different observation is a change, and how often it came is not', () => {
  const observing = (observation: string): readonly RunEvent[] =>
    conformant.map(event =>
      event.type === 'verdict' && event.verdict.kind === 'observed'
        ? { ...event, verdict: { ...event.verdict, observation } }
        : event,
    )
  const [one] = between(observing('accepted (3) · rejected (2)'), observing('accepted')).observations
  expect(one).toMatchObject({ before: 'accepted · rejected', after: 'accepted' })
  expect(
    between(observing('accepted (3) · rejected (2)'), observing('accepted (1) · rejected (9)')).observations,
  ).toEqual([])
})

test('a failure for another cause is listed apart', () => {
  const other = fiveFailures.map(event =>
    event.type === 'finding' && event.id === '9a0' && event.outcome.kind === 'response'
      ? { ...event, outcome: { ...event.outcome, status: 500 } }
      : event,
  )
  const diff = between(fiveFailures, other)
  expect(diff.changedFailures.map(({ id, reason }) => ({ id, reason }))).toEqual([
    { id: 'createPlant/auth/none', reason: 'answered 500' },
  ])
  expect(isWorse(diff)).toBe(false)
})

test('with any ledgers the text is safe, the JSON is whole, and every row of a table has its cells', () => {
  fc.assert(
    fc.property(anyLedger, anyLedger, (old, next) => {
      const diff = diffOf(old, next)
      expect(diffText(diff, { colour: false, all: true })).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
      )
      expect(JSON.parse(diffJson(diff))).toMatchObject({ format: 'plantstore-diff', version: 1 })
      for (const row of diffMarkdown(diff)
        .split('\n')
        .filter(line => line.startsWith('| ')))
        expect([4, 6]).toContain(row.match(/(?<!\\)\|/g)?.length)
    }),
    { numRuns: 30 },
  )
})
