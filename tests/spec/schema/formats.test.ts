import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema } from '../../../spec/index.ts'

const isValid = (format: string, text: string): boolean =>
  compileSchema({ type: 'string', format })(text).length === 0

const clocks = ['00:00:00', '23:59:59.123', '12:30:45.5', '23:59:60']
const offsets: readonly (readonly [offset: string, isRight: boolean])[] = [
  ['Z', true],
  ['z', true],
  ['+00:00', true],
  ['-08:00', true],
  ['+05:30', true],
  ['', false],
  ['+0000', false],
  ['-0800', false],
  ['+02', false],
  ['+2:00', false],
  ['+02:0', false],
  ['+02:00:00', false],
  [' Z', false],
  [' +02:00', false],
  ['UTC', false],
]

test.each(offsets)('RFC 3339 reads the offset "%s": %s', (offset, isRight) => {
  for (const clock of clocks.slice(0, 3)) {
    expect(isValid('date-time', `2024-02-29T${clock}${offset}`), clock).toBe(isRight)
    expect(isValid('time', `${clock}${offset}`), clock).toBe(isRight)
  }
})

test('a time with any offset of hours and minutes is right if it has a colon, and only then', () => {
  const two = (most: number) =>
    fc.integer({ min: 0, max: most }).map(number => String(number).padStart(2, '0'))
  fc.assert(
    fc.property(
      two(23),
      two(59),
      fc.constantFrom('+', '-'),
      fc.constantFrom(':', ''),
      (hours, minutes, sign, colon) => {
        const text = `2024-01-01T10:00:00${sign}${hours}${colon}${minutes}`
        expect(isValid('date-time', text)).toBe(colon === ':')
      },
    ),
  )
})
