import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LedgerError, readLedger, writeEvent, writeLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { anyEvents } from '../ledgers.ts'
import { runs } from '../runs.ts'

const write = (events: Parameters<typeof foldLedger>[0]): string => [...events].map(writeEvent).join('')

test('any events are read back as they were written', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      expect(readLedger(write(events))).toEqual(events)
    }),
  )
})

test.each(Object.entries(runs))(
  'the ledger of the run %s, written whole, folds to the same ledger',
  (_name, run) => {
    const ledger = foldLedger(run)
    const again = foldLedger(readLedger(writeLedger(ledger)))
    expect(again).toEqual(ledger)
    expect(writeLedger(again)).toBe(writeLedger(ledger))
  },
)

test('a last line that was cut off is left out, and a note says so', () => {
  const text = write(runs.fiveFailures)
  const cut = text.slice(0, -20)
  const events = readLedger(cut)
  expect(events.slice(0, -1)).toEqual(runs.fiveFailures.slice(0, -1))
  expect(events.at(-1)).toEqual({
    type: 'note',
    level: 'warning',
    message: `the ledger was cut off in line ${runs.fiveFailures.length}: everything after it is missing`,
  })
  expect(foldLedger(events).end).toBeNull()
})

test('a ledger cut anywhere after its first line is still read', () => {
  const text = write(runs.conformant)
  const first = text.indexOf('\n') + 1
  fc.assert(
    fc.property(fc.integer({ min: first, max: text.length }), at => readLedger(text.slice(0, at)).length > 0),
  )
})

test('a byte order mark, CRLF and empty lines are ignored', () => {
  const text = `\ufeff${write(runs.conformant).replaceAll('\n', '\r\n')}\r\n\r\n`
  expect(readLedger(text)).toEqual(runs.conformant)
})

const begin = writeEvent(runs.conformant[0] as (typeof runs.conformant)[number])

test.each([
  ['an empty file', '', 'line 1 is not an event of a run: the file is empty'],
  ['another file', '<!doctype html>\n<p>', 'line 1 is not an event of a run: it is not JSON'],
  ['other JSON', '[1,2]\n', 'line 1 is not an event of a run: it must be an object'],
  ['a broken line', `${begin}{"type":\n${begin}`, 'line 2 is not an event of a run: it is not JSON'],
  [
    'an unknown event',
    `${begin}{"type":"x"}\n`,
    'line 2 is not an event of a run: /type must be one of exchange, verdict, finding, note, start, end',
  ],
  [
    'a prototype name',
    `${begin}{"type":"constructor"}\n`,
    'line 2 is not an event of a run: /type must be one of exchange, verdict, finding, note, start, end',
  ],
  [
    'a wrong member',
    `${begin}{"type":"verdict","obligation":"a","verdict":{"kind":"passed","cases":"1"}}\n`,
    'line 2 is not an event of a run: /verdict/cases must be an integer',
  ],
  [
    'a run without start',
    '{"type":"note","level":"info","message":""}\n',
    'line 1 is not the start of a run: a ledger begins with its start event',
  ],
  [
    'a missing member',
    `${begin}{"type":"verdict","obligation":"a","verdict":{"kind":"failed","cases":1}}\n`,
    'line 2 is not an event of a run: /verdict/finding is missing',
  ],
  ['two runs', begin + begin, 'line 2 starts a second run: a ledger holds one'],
])('%s is rejected in one line that names the line', (_name, text, message) => {
  expect(() => readLedger(text)).toThrow(new LedgerError(message))
})

test('no text makes the reader fail in any other way', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map(json => begin + json),
      ),
      text => {
        try {
          readLedger(text)
        } catch (error) {
          expect(error).toBeInstanceOf(LedgerError)
          expect((error as Error).message).toMatch(/^line \d+ [^\n]+$/)
        }
      },
    ),
  )
})
