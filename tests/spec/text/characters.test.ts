import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charactersIn } from '../../../spec/text/characters.ts'

test('characters are counted as a text is iterated, also if surrogates are alone', () => {
  const unit = fc.oneof(
    fc.constantFrom('\ud83c', '\udf31', '🌱', 'é'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  fc.assert(
    fc.property(fc.array(unit), units => {
      const text = units.join('')
      expect(charactersIn(text)).toBe([...text].length)
    }),
  )
})
