/** A request is rejected if no server may take it, and never otherwise: for every combination of location, style, type and union. */
import { expect, test } from 'vitest'
import { createHandler } from '../../mock/index.ts'
import { type Combination, combinationsAt, contractOf, name, placeName, places } from './combinations.ts'
import { readingsOf, type Sent } from './readings.ts'
import { requestOf } from './requests.ts'

const texts = [
  '',
  '1',
  'x',
  'true',
  'ab',
  '1,2',
  '1,x',
  'true,false',
  'n,1',
  'n,x',
  'n=1',
  'b=true,n=1',
  'n=x',
]
const several = [
  ['1', '2'],
  ['x', '1'],
  ['1', 'x'],
  ['x', 'y'],
  ['true', 'false'],
  ['x', 'true', 'y'],
  ['1', ''],
]

const probesOf = ({ place: { in: part, style, explode } }: Combination): readonly Sent[] => {
  const own = (values: readonly string[]): Sent => ({
    kind: 'pairs',
    pairs: values.map(value => [name, value] as const),
  })
  if (part === 'header' || part === 'path') {
    const asStyled = (text: string): string =>
      style === 'label'
        ? `.${explode ? text.replaceAll(',', '.') : text}`
        : style === 'matrix'
          ? explode
            ? `;${
                /[=]/.test(text)
                  ? text.replaceAll(',', ';')
                  : text
                      .split(',')
                      .map(each => `${name}=${each}`)
                      .join(';')
              }`
            : `;${name}=${text}`
          : text
    return [
      ...(part === 'header' ? [{ kind: 'text', text: null } as const] : []),
      // Nothing in a path is another path.
      ...texts
        .filter(text => part === 'header' || text !== '')
        .map(text => ({ kind: 'text', text: asStyled(text) }) as const),
    ]
  }
  const spread = (...pairs: readonly (readonly [string, string])[]): Sent => ({ kind: 'pairs', pairs })
  const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '|' : ','
  return [
    own([]),
    ...texts.map(text => own([text.replaceAll(',', delimiter)])),
    ...several.map(own),
    spread(['n', '1']),
    spread(['n', 'x']),
    spread(['n', '1'], ['b', 'true']),
    spread(['n', '1'], ['b', '1']),
    spread([`${name}[n]`, '1']),
    spread([`${name}[n]`, 'x']),
    spread([`${name}[n]`, '1'], [`${name}[b]`, 'false']),
    own(['%7B%22n%22%3A1%7D']),
    own(['%7B%22n%22%3A%22x%22%7D']),
  ]
}

test.each(places.map(place => [placeName(place), place] as const))('%s', async (_name, place) => {
  const combinations = combinationsAt(place)
  const mock = await createHandler({ contract: await contractOf(combinations) })
  const wrong: string[] = []
  for (const combination of combinations)
    for (const probe of probesOf(combination)) {
      const { method, target, headers, body } = requestOf(combination, probe)
      const request = new Request(`http://mock.test${target}`, {
        method,
        headers: headers.map(([key, value]) => [key, value] as [string, string]),
        body: body as BodyInit | null,
      })
      const { status } = await mock(request)
      const { isPossible } = readingsOf(combination, probe)
      if ((status === 200) !== isPossible)
        wrong.push(
          `${combination.id} ${JSON.stringify(probe)}: ${status}, ${isPossible ? 'may be right' : 'is wrong'}`,
        )
    }
  expect(wrong).toEqual([])
})

type BodyInit = NonNullable<RequestInit['body']>
