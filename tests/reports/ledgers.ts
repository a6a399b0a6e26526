import fc from 'fast-check'
import { reports } from '../../reports/index.ts'
import { foldLedger, type Ledger, type RunEvent } from '../../spec/index.ts'
import { fiveFailures, poison } from './runs.ts'

/** Text as a server or a foreign document may hold it. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      ']',
      '\u0000',
      '\u001b',
      '\u202e',
      '\n',
      '\r',
      '\ud800',
      '\udc00',
      '\ufffe',
      '`',
      '-',
      '!',
      'a',
    ),
  }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map(code => String.fromCharCode(code)) }),
  fc.constant(poison),
  // What breaks out of an element, an attribute or a comment, if somebody forgets to escape it.
  fc.constantFrom(
    '<b>x',
    '</p><a href="//x">',
    '"><u>',
    "'><u>",
    '" onclick="x',
    "' onclick='x",
    '--><u>',
    ']]><u>',
  ),
)

// Tags and enumerations come from the suite; a reader rejects others.
const fixed = new Set([
  'type',
  'kind',
  'cause',
  'level',
  'family',
  'failure',
  'encoding',
  'repeat',
  'expectation',
  'stopped',
  'conclusion',
  'unauthenticated',
  'strict',
  'operation',
  'obligation',
  'at',
])

/** The same events with every free text replaced; ids of obligations and operations stay, because they link events. */
const poisoned = (value: unknown, name: string, texts: () => string): unknown => {
  if (typeof value === 'string') return fixed.has(name) ? value : texts()
  if (Array.isArray(value)) return value.map(item => poisoned(item, name, texts))
  if (typeof value !== 'object' || value === null) return value
  const keepId = 'operation' in value || 'path' in value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      keepId && key === 'id' ? member : poisoned(member, key, texts),
    ]),
  )
}

const certificate = { subject: '', names: '', issuer: '', from: '', to: '', sha256: '', verified: false }

/** The event with every text that it can have. */
const complete = (event: RunEvent): RunEvent => {
  if (event.type === 'start') return { ...event, testedProduct: { name: '', key: '' }, runBy: '', nonce: '' }
  return event.type === 'end' ? { ...event, certificates: [certificate, certificate] } : event
}

/** Runs in which everything that can come from outside is any text at all. */
export const anyEvents: fc.Arbitrary<readonly RunEvent[]> = fc
  .array(anyText, { minLength: 1, maxLength: 12 })
  .map(texts => {
    let next = 0
    const take = (): string => texts[next++ % texts.length] ?? ''
    return fiveFailures.map(complete).map(event => poisoned(event, '', take) as RunEvent)
  })

export const anyLedger: fc.Arbitrary<Ledger> = anyEvents.map(foldLedger)

/** How many causes a ledger tells. */
export const causesIn = (ledger: Ledger): number => JSON.parse(reports.json.write(ledger)).causes.length
