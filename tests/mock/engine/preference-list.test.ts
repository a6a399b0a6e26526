import { expect, test } from 'vitest'
import { readPrefer, readPreferenceList } from '../../../mock/preferences/prefer.ts'
import { cpuTime } from '../../cpu-time.ts'

const pair = (name: string, value: string | null) => ({ name, value })

test.each<[string, ReturnType<typeof readPreferenceList>]>([
  ['', []],
  [' , ;; ', []],
  ['code=404, delay=200', [pair('code', '404'), pair('delay', '200')]],
  ['code=404; delay=200', [pair('code', '404'), pair('delay', '200')]],
  ['code = 404 ;delay= 200', [pair('code', '404'), pair('delay', '200')]],
  ['dynamic', [pair('dynamic', null)]],
  ['message="later, please; \\"soon\\""', [pair('message', 'later, please; "soon"')]],
  ['message=sold out, error=7', [pair('message', 'sold out'), pair('error', '7')]],
  ['seed=a=b', [pair('seed', 'a=b')]],
  ['code=404, seed="open', 9],
  ['=5', 0],
])('%s is read', (text, list) => {
  expect(readPreferenceList(text)).toEqual(list)
})

test('of several preferences with one name the first counts, in any header and letter case', () => {
  const prefer = readPrefer([
    ['Prefer', 'Code=404; wait=1'],
    ['PREFER', 'code=200, wait=2, Example'],
  ])
  expect(Object.fromEntries(prefer?.values ?? [])).toEqual({ code: '404', wait: '1', example: '' })
  expect(prefer?.preferences).toMatchObject({
    code: 404,
    problems: ['the preference example must name an example'],
  })
})

test('a header that cannot be parsed gives a problem instead of preferences', () => {
  const prefer = readPrefer([['Prefer', 'delay=20, code="404']])
  expect([...(prefer?.values ?? [])]).toEqual([])
  expect(prefer?.preferences?.problems).toEqual(['the header Prefer cannot be read from character 10'])
  expect(readPrefer([['Accept', '*/*']])).toBeNull()
})

test.each([' ', 'a ', 'a', '"', '= ', '\\', 'a=" '])(
  'a header with a long run of %j is read at once',
  part => {
    const run = part.repeat(100_000 / part.length)
    const began = cpuTime()
    readPreferenceList(run)
    readPreferenceList(`a=${run}"`)
    readPreferenceList(`a="${run}`)
    expect(cpuTime() - began).toBeLessThan(500)
  },
)
