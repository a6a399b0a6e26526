import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { end, finding, request, response, start, verdicts } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

const write = reports.html.write

test('the same ledger gives the same bytes', () => {
  const ledger = foldLedger(runs.fiveFailures)
  expect(write(structuredClone(ledger))).toBe(write(ledger))
})

test('with any text from a server there is no control character, one script and one style sheet', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const text = write(ledger)
      expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u)
      expect(text.match(/<script/gi)).toHaveLength(1)
      expect(text.match(/<style/gi)).toHaveLength(1)
      expect(text).not.toMatch(/<img/i)
    }),
  )
})

test('the verdict comes first, with the evidence and its limits', () => {
  const text = write(foldLedger(runs.inconclusive))
  const order = [
    'Inconclusive</h1>',
    'Incomplete run',
    'Evidence',
    'Limits',
    'id="map"',
    'id="requirements"',
    'id="not-tested"',
    'id="questions"',
    'id="trace"',
    'id="responses"',
    'id="run"',
  ]
  const places = order.map(part => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})

const steps = [
  { role: 'create', operation: 'addThing', request: request('{"n":1}'), outcome: response(201, '{"id":7}') },
  { role: 'read', operation: 'getThing', request: request(null), outcome: response(404, '{"error":1}') },
]

test.each([
  [
    'the request itself',
    {},
    [
      'POST /plants 201 addThing · creates it',
      'POST /plants 404 getThing · reads it',
      'POST /plants 200 shows the failure',
    ],
  ],
  [
    'an earlier one',
    { step: 1 },
    ['POST /plants 201 addThing · creates it', 'POST /plants 404 shows the failure', 'POST /plants 200 '],
  ],
])('a chain is shown as all its requests in order, and %s shows the failure', (_name, more, expected) => {
  const ledger = foldLedger([
    start(),
    finding('request/body/id/type', { steps, outcome: response(200, '{}'), ...more }),
    ...verdicts(),
    end(),
  ])
  const [, chain = ''] = /<ol class="chain">(.*?)<\/ol>/s.exec(write(ledger)) ?? []
  const shown = [...chain.matchAll(/<summary>(.*?)<\/summary>/gs)].map(([, text = '']) =>
    text.replace(/<[^>]*>/g, ''),
  )
  expect(shown).toEqual(expected)
  expect(chain.match(/<details open>/g)).toHaveLength(1)
  expect(chain).toContain(':7}')
})

test('a page of 2,100 requirements is smaller than 3 MB', () => {
  expect(write(foldLedger(many(100))).length).toBeLessThan(3_000_000)
})
