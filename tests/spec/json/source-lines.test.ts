import { expect, test } from 'vitest'
import { LineCounter, type Node, parseDocument } from 'yaml'
import { type Pointer, step, steps, valueAt } from '../../../spec/json/pointer.ts'
import { createJsonText } from '../../../spec/json/source-lines.ts'

const value = {
  'a/b~c': { '': [1, 'x"y\\', [], {}, null, { deep: [{ er: true }] }] },
  texts: ['{', '}', '[', ',', '"', ':', '\n', '\\"', '\u2028'],
  'na"me': { 'na,me': -1.5e3, 'na:me': false },
  empty: {},
}

const pointers = (node: unknown, at: Pointer = ''): readonly Pointer[] =>
  typeof node === 'object' && node !== null
    ? [at, ...Object.entries(node).flatMap(([name, child]) => pointers(child, step(at, name)))]
    : [at]

test.each([
  ['two spaces', JSON.stringify(value, null, 2)],
  ['tabs', JSON.stringify(value, null, '\t')],
  ['one line', JSON.stringify(value)],
  ['odd spaces', JSON.stringify(value, null, 2).replace(/^ +/gm, '\n ').replaceAll('": ', '"\n:\n ')],
])('every place of a JSON text has the line that a full parser gives it: %s', (_name, text) => {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter })
  const { line, source } = createJsonText(text)
  for (const pointer of pointers(value).slice(1)) {
    expect(JSON.parse(source(pointer) ?? '')).toEqual(valueAt(value, pointer))
    const names = steps(pointer)
    const parent = document.getIn(names.slice(0, -1), true) as { readonly items: readonly unknown[] }
    const pair = parent.items.find(item => String((item as { key?: unknown }).key) === names.at(-1))
    const node = (pair as { readonly key: Node } | undefined)?.key ?? (document.getIn(names, true) as Node)
    expect([pointer, line(pointer)]).toEqual([pointer, counter.linePos(node.range?.[0] ?? 0).line])
  }
})

test('a missing place has the line of the nearest one around it', () => {
  const { line, source } = createJsonText('{\n "a": {\n  "b": 1\n }\n}')
  expect([line('/a/c/d'), source('/a/c/d'), source('/a/b')]).toEqual([2, null, '1'])
})
