import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { DocumentError } from '../../../spec/errors.ts'
import { evaluated, type Flow, loadContract, readFlows } from '../../../spec/index.ts'

const file = (name: string): string => fileURLToPath(new URL(`../../flows/${name}`, import.meta.url))
const contract = await loadContract({ from: file('orders.openapi.yaml') })
const text = readFileSync(file('orders.arazzo.yaml'), 'utf8')
const none = (): never => {
  throw new Error('not asked for')
}
const read = (changed: string): readonly Flow[] => readFlows(changed, 'a.yaml', contract, none)

test('a workflow has its steps, with operations by id and by path, and what the components say', () => {
  const [flow] = read(text)
  expect(flow?.steps.map(({ id, target }) => [id, 'operation' in target ? target.operation : ''])).toEqual([
    ['create', 'createOrder'],
    ['shipTooEarly', 'shipOrder'],
    ['pay', 'payOrder'],
    ['ship', 'shipOrder'],
    ['read', 'getOrder'],
  ])
  expect(flow?.inputs).toEqual({ quantity: 2 })
  expect(flow?.steps[2]?.parameters).toEqual([
    { name: 'orderId', in: 'path', value: '$steps.create.outputs.id' },
  ])
  expect(flow?.steps[0]?.place).toMatchObject({ file: 'a.yaml', line: 12 })
})

const step = (lines: string): string => text.replace('operationId: payOrder', lines)

describe('what cannot be read is told with its line', () => {
  test.each([
    ['openapi: 3.1.0', 'a.yaml:1: this is not an Arazzo document: it has no field `arazzo`'],
    ['- 1', 'a.yaml:1: this is not an Arazzo document'],
    [text.replace('1.0.1', '2.0.0'), 'a.yaml:1: Arazzo 2.0.0 is not read: use 1.0.1 or 1.1.0 (at #/arazzo)'],
    ['arazzo: 1.0.1', 'a.yaml:1: the document has no `workflows`'],
    [
      step('operationId: payOrders'),
      'a.yaml:30: the contract has no operation payOrders: did you mean payOrder?',
    ],
    [step('operationPath: "#/paths/~1order/post"'), 'the contract has no operation at #/paths/~1order/post'],
    [step('x-operation: {}'), 'the step names no `operationId`, `operationPath` or `workflowId`'],
    [step('workflowId: sold'), 'a.yaml:30: there is no workflow sold'],
    [text.replace('== 409', '= 409'), 'a.yaml:28: the condition "$statusCode = 409" cannot be read: nothing'],
    [
      text.replace('type: regex', 'type: xslt'),
      'criteria of type xslt are not supported: use simple, regex, jsonpath or xpath',
    ],
    [text.replace('^shipped$', '(shipped'), '(shipped is no regular expression'],
    [
      text.replace('reference: $components.parameters.order', 'reference: $components.parameters.other'),
      '$components.parameters.other leads to nothing in this document',
    ],
    [
      text.replace('in: path', 'in: body'),
      'a parameter is in path, query, header, cookie or querystring, not in body',
    ],
    ['arazzo: [', 'a.yaml:'],
  ])('%#', (changed, problem) => {
    expect(() => read(changed)).toThrow(DocumentError)
    expect(() => read(changed)).toThrow(problem)
  })
})

describe('workflows of other documents', () => {
  const other = text.replace('workflowId: sell', 'workflowId: sellAll')
  const main = (id: string): string => `arazzo: 1.0.1
sourceDescriptions:
  - { name: orders, url: orders.openapi.yaml, type: openapi }
  - { name: shop, url: other.yaml, type: arazzo }
workflows:
  - workflowId: main
    steps:
      - { stepId: sell, workflowId: $sourceDescriptions.shop.${id} }
      - { stepId: get, operationId: orders.getOrder, parameters: [{ name: orderId, in: path, value: 1 }] }
`
  test('are named by their source', () => {
    const flows = readFlows(main('sellAll'), 'a.yaml', contract, url => ({ text: other, file: url }))
    expect(flows.map(({ id }) => id).sort()).toEqual(['main', 'shop.sellAll'])
    expect(flows.find(({ id }) => id === 'main')?.steps[0]?.target).toEqual({
      kind: 'workflow',
      workflow: 'shop.sellAll',
    })
  })
  test('have to be there', () => {
    expect(() => readFlows(main('sell'), 'a.yaml', contract, url => ({ text: other, file: url }))).toThrow(
      'a.yaml:8: other.yaml has no workflow sell',
    )
  })
})

test('a document with anything at any place is read, or refused as a document', () => {
  const document: unknown = parse(text)
  const places: (readonly (string | number)[])[] = []
  const walk = (value: unknown, at: readonly (string | number)[]): void => {
    if (at.length > 0) places.push(at)
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      walk(inner, [...at, Array.isArray(value) ? Number(name) : name])
  }
  walk(document, [])
  const anything = fc.constantFrom<unknown>(null, 1, '', 'x', [], {}, [null], { reference: 'x' }, true)
  fc.assert(
    fc.property(fc.constantFrom(...places), anything, (at, value) => {
      const changed: unknown = structuredClone(document)
      const holder = at
        .slice(0, -1)
        .reduce<unknown>((within, name) => (within as Record<string, unknown>)[name], changed)
      ;(holder as Record<string, unknown>)[String(at.at(-1))] = value
      try {
        read(stringify(changed))
      } catch (error) {
        expect(error).toBeInstanceOf(DocumentError)
      }
    }),
    { numRuns: 400 },
  )
})

test('expressions keep the type of a value, and are text in a text; an input that nobody gave is left out', () => {
  const missing: string[] = []
  const value = {
    id: '$steps.a.outputs.id',
    text: 'no. {$steps.a.outputs.id}!',
    gone: '$inputs.none',
    list: ['{$steps.a.outputs.id}', 1],
    wrong: '$steps.b.outputs.id',
  }
  const known = { exchange: null, values: { inputs: {}, steps: { a: { outputs: { id: 7 } } } } }
  expect(evaluated(value, known, missing)).toEqual({ id: 7, text: 'no. 7!', list: [7, 1] })
  expect(missing).toEqual(['$steps.b.outputs.id'])
})
