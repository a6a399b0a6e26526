import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffJson, diffMarkdown, diffOf, diffText, isWorse } from '../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../spec/index.ts'
import { anyLedger } from './ledgers.ts'
import { adopted, brokenFive, conformant, inconclusive } from './runs.ts'

const ledgers = { conformant, brokenFive, inconclusive, adopted }
const between = (old: readonly RunEvent[], next: readonly RunEvent[]) =>
  diffOf(foldLedger(old), foldLedger(next))
const text = { colour: false, all: false }

describe('what changed is told as it was agreed', () => {
  test.each([
    ['conformant', 'brokenFive'],
    ['brokenFive', 'conformant'],
    ['conformant', 'inconclusive'],
    ['conformant', 'adopted'],
  ] as const)('from %s to %s', async (old, next) => {
    const diff = between(ledgers[old], ledgers[next])
    await expect(diffText(diff, text)).toMatchFileSnapshot(`golden/diff-${old}-${next}.txt`)
    await expect(diffMarkdown(diff)).toMatchFileSnapshot(`golden/diff-${old}-${next}.md`)
  })

  test('what broke makes it worse, but for what is accepted', () => {
    expect(isWorse(between(conformant, brokenFive))).toBe(true)
    expect(isWorse(between(brokenFive, conformant))).toBe(false)
    expect(isWorse(between(conformant, adopted))).toBe(false)
    expect(between(conformant, adopted).broke).toHaveLength(1)
  })
})

/** The same run with its start event changed. */
const otherStart = (change: object): readonly RunEvent[] =>
  conformant.map(event => (event.type === 'start' ? { ...event, ...change } : event))

test('what makes two runs less comparable is told first', () => {
  const [first] = conformant
  if (first?.type !== 'start') throw new Error('no start')
  const other = otherStart({
    seed: 2,
    contract: { ...first.contract, digest: 'ffffffff00' },
    policies: { ...first.policies, strict: 'true' },
    selection: { only: ['createPlant/auth'], skip: [] },
  })
  const { apart } = between(conformant, other)
  expect(apart.map(line => line.replace(/:.*/s, ''))).toEqual([
    'another contract',
    'another seed',
    'another selection',
    'another policy strict',
  ])
  expect(diffText(between(conformant, other), text)).toContain(`  not alike  ${apart[0]}\n`)
  expect(between(conformant, conformant).apart).toEqual([])
})

test('a contract that promises other things is told by what came and what went', () => {
  const [first] = conformant
  if (first?.type !== 'start') throw new Error('no start')
  const [gone, ...left] = first.obligations
  const diff = between(conformant, otherStart({ obligations: left }))
  expect(diff.disappeared.map(({ id }) => id)).toEqual([gone?.id])
  expect(between(otherStart({ obligations: left }), conformant).appeared).toMatchObject([
    { id: gone?.id, before: null },
  ])
})

test('an answer that comes otherwise is an observation, and how often it came is none', () => {
  const saying = (what: string): readonly RunEvent[] =>
    conformant.map(event =>
      event.type === 'verdict' && event.verdict.kind === 'observed'
        ? { ...event, verdict: { ...event.verdict, what } }
        : event,
    )
  const [one] = between(saying('accepted (3) · refused (2)'), saying('accepted')).observations
  expect(one).toMatchObject({ before: 'accepted · refused', after: 'accepted' })
  expect(
    between(saying('accepted (3) · refused (2)'), saying('accepted (1) · refused (9)')).observations,
  ).toEqual([])
})

test('an answer of another kind to what was broken before is told apart', () => {
  const other = brokenFive.map(event =>
    event.type === 'finding' && event.id === '9a0' && event.outcome.kind === 'answer'
      ? { ...event, outcome: { ...event.outcome, status: 500 } }
      : event,
  )
  const diff = between(brokenFive, other)
  expect(diff.otherwise.map(({ id, because }) => ({ id, because }))).toEqual([
    { id: 'createPlant/auth/none', because: 'answered 500' },
  ])
  expect(isWorse(diff)).toBe(false)
})

test('whatever the ledgers hold, the text is safe, the JSON whole, and no row of a table is broken', () => {
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
