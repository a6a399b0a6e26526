/** Who gave and who showed a name first. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { createNameHistory } from '../../../conformance/pool/name-history.ts'

const requestWith = (body: RequestSpec['body']): RequestSpec => ({
  ...{ method: 'POST', path: '/orders', parameters: {}, body, encoding: { kind: 'json' }, contentType: null },
  ...{ chunked: false, queryEscapes: false, credentials: null, extra: [], renewable: false },
  ...{ derivedFrom: null, malformedHttp: null },
})

test('a text is not what has a number for a name, however the two are spelled', () => {
  const noun = fc.stringMatching(/^[a-z]{1,8}$/)
  fc.assert(
    fc.property(noun, fc.nat(), (holder, number) => {
      const names = createNameHistory()
      names.noteShown(number, holder, 'list')
      for (const name of [`${holder} ${number}`, `* ${number}`, `"${number}`, `"${holder} ${number}`])
        expect([name, names.wasThereBefore(name, null, 'act')]).toEqual([name, false])
      expect(names.wasThereBefore(number, holder, 'act')).toBe(true)
    }),
  )
})

test('what the run gave before anybody showed it is its own, and the other way round', () => {
  const names = createNameHistory()
  names.noteSent(requestWith({ title: 'of the run' }))
  names.noteShown('of the run', 'order', 'list')
  names.noteShown('of another', 'order', 'list')
  names.noteSent(requestWith({ title: 'of another' }))
  const told = ['of the run', 'of another'].map(name => [
    names.isChosen(name),
    names.wasThereBefore(name, null, 'act'),
  ])
  expect(told).toEqual([
    [true, false],
    [false, true],
  ])
})
