import { expect, test } from 'vitest'
import { conclusions, conclusionText, headline } from '../../../reports/view/conclusion.ts'
import { summarise } from '../../../reports/view/summary.ts'
import { foldLedger } from '../../../spec/index.ts'
import { runs } from '../runs.ts'

test.each([
  ['conformant', 'Every requirement that was tested passed.'],
  ['fiveFailures', '5 of 21 requirements failed (4 causes). 1 SHOULD requirement failed: a warning.'],
  ['strictWarning', '1 of 21 requirements failed. SHOULD requirements count as well (--strict).'],
  ['waived', 'Nothing new failed, but 1 requirement passes again: remove its waiver or baseline entry.'],
  [
    'accepted',
    '1 requirement failed and is accepted: 1 waived. Every other requirement that was tested passed.',
  ],
  [
    'partial',
    'Only 4 of 21 requirements were tested. None of them failed. A partial run does not show that the server conforms.',
  ],
  ['inconclusive', 'The run could not judge enough to say whether the server conforms.'],
  ['cutOff', 'The run could not judge enough to say whether the server conforms.'],
] as const)('the run %s: %s', (name, sentences) => {
  expect(conclusionText(summarise(foldLedger(runs[name])))).toBe(sentences)
})

test('a run that tested everything, but with fewer cases than the contract needs, says how many it needs', () => {
  const short = runs.conformant.map(event =>
    event.type === 'end' ? { ...event, conclusion: 'partial' as const, cases: 300 } : event,
  )
  const summary = summarise(foldLedger(short))
  expect(headline(summary)).toMatch(
    /^PARTIAL: 300 of the 1,000 cases that the contract needs, nothing failed \(\d+ of \d+ MUST passed\)$/,
  )
  expect(conclusionText(summary)).toBe(
    'Only 300 of the 1,000 cases that the contract needs were sent. Nothing failed in them, but a fault that few requests show may not be among them. A partial run does not show that the server conforms.',
  )
})

test('accepted failures are exceptions, and are not counted', () => {
  const accepting = (events: (typeof runs)['conformant'], verdict: object) =>
    conclusionText(
      summarise(
        foldLedger(
          events.map(event =>
            event.type === 'verdict' && event.obligation === 'createPlant/auth/none'
              ? { ...event, verdict: { cases: 4, finding: '9a0', ...verdict } as typeof event.verdict }
              : event,
          ),
        ),
      ),
    )
  const baselined = { kind: 'baselined', since: '2026-11-02' }
  expect(accepting(runs.conformant, baselined)).toBe(
    'Every requirement that was tested passed, except 1 in the baseline.',
  )
  expect(accepting(runs.fiveFailures, baselined)).toBe(
    '4 of 21 requirements failed (3 causes), not counting 1 in the baseline. 1 SHOULD requirement failed: a warning.',
  )
})

test('no two conclusions share a label, a sign, an emoji or a colour', () => {
  for (const part of ['label', 'title', 'sign', 'emoji', 'style'] as const)
    expect(new Set(Object.values(conclusions).map(words => words[part])).size).toBe(6)
})

test.each([
  ['conformant', 'CONFORMANT (16 of 16 MUST passed)'],
  ['accepted', 'ACCEPTED WITH 1 DEVIATION (15 of 16 MUST passed)'],
  ['waived', 'OUTDATED WAIVERS OR BASELINE (15 of 16 MUST passed)'],
  ['strictWarning', 'NOT CONFORMANT (18 of 19 MUST and SHOULD passed)'],
  ['partial', 'PARTIAL: 4 of 21 requirements tested, nothing failed (4 of 16 MUST passed)'],
] as const)('the headline of the run %s: %s', (name, words) => {
  expect(headline(summarise(foldLedger(runs[name])))).toBe(words)
})
