import { expect, test } from 'vitest'
import { createStragglers } from '../../../conformance/reach/stragglers.ts'

test('when the time for trials is up, nobody waits for one that is not over, and what comes of it later counts', async () => {
  const late = createStragglers<string>(() => false)
  const { promise, resolve } = Promise.withResolvers<string>()
  expect(await late.unlessStuck('slow', promise, () => true)).toBeUndefined()
  expect([late.all(), late.isPending()]).toEqual([['slow'], true])
  resolve('done')
  await promise
  expect(await late.takeBack(['slow'], () => true)).toEqual(new Map([['slow', 'done']]))
})

test('while there is time, a trial is waited for', async () => {
  const late = createStragglers<string>(() => false)
  expect(await late.unlessStuck('one', Promise.resolve('done'), () => false)).toBe('done')
  expect(late.all()).toEqual([])
})
