/** Workflows of Arazzo documents against a server whose answers depend on what was done before. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { replay, type VerifyOptions, verify } from '../../conformance/index.ts'
import { readLedger, reports, writeLedger } from '../../reports/index.ts'
import { type DocumentError, foldLedger, type Ledger, loadContract, readFlows } from '../../spec/index.ts'
import { startOrders, token } from './order-server.ts'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const contract = await loadContract({ from: file('orders.openapi.yaml') })
const none = () => {
  throw new Error('the document names no other')
}
const flows = readFlows(
  readFileSync(file('orders.arazzo.yaml'), 'utf8'),
  'orders.arazzo.yaml',
  contract,
  none,
)

const run = async (fault: string, options: Partial<VerifyOptions> = {}): Promise<Ledger> => {
  const { url, close } = await startOrders(fault)
  try {
    return await verify({
      ...{ target: url, contract, token, seed: 1, cases: 300, sustained: 0, strict: true, flows },
      ...options,
    })
  } finally {
    await close()
  }
}

const failed = ({ findings }: Ledger): readonly string[] => findings.map(({ obligation }) => obligation)
const inFlows = ({ entries }: Ledger): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.flatMap(({ obligation, verdict }) =>
      obligation.family === 'flow' ? [[obligation.id.replace(/^.*\/flow\//, ''), verdict.kind] as const] : [],
    ),
  )

const all = {
  'sell/create': 'passed',
  'sell/shipTooEarly': 'passed',
  'sell/pay': 'passed',
  'sell/ship': 'passed',
  'sell/read': 'passed',
}

describe.concurrent('a server that keeps to the document and the workflow conforms', () => {
  test.each([
    ['', 1],
    ['', 2],
    ['looks at the state first', 1],
    ['looks at the state first', 2],
  ])('%s, seed %i', async (fault, seed) => {
    const ledger = await run(fault, { seed })
    expect(failed(ledger)).toEqual([])
    expect(inFlows(ledger)).toEqual(all)
    expect(ledger.end?.conclusion).not.toBe('nonconformant')
    // Without the workflow nobody could pay, nor ship.
    const accepted = ledger.entries.filter(({ obligation }) => obligation.id.endsWith('Order/request/valid'))
    expect(accepted.map(({ verdict }) => verdict.kind)).toEqual(['passed', 'passed', 'passed', 'passed'])
  })
})

describe.concurrent('a step that does not succeed is a finding, with the steps before it', () => {
  test.each([
    ['ships what is not paid', 'shipOrder/flow/sell/shipTooEarly', '$statusCode == 409'],
    ['forgets what was shipped', 'getOrder/flow/sell/read', "$response.body: $[?@.status == 'shipped'"],
    [
      'takes orders for a hundred',
      'createOrder/flow/sell/create',
      '$response.body#/quantity == $inputs.quantity',
    ],
  ])('%s', async (fault, obligation, expected) => {
    const ledger = await run(fault)
    const finding = ledger.findings.find(each => each.obligation === obligation)
    expect(finding?.expected).toContain(expected)
    expect((finding?.steps ?? []).every(({ role }) => role === 'flow')).toBe(true)
    expect(ledger.end?.conclusion).toBe('nonconformant')
  })
})

describe.concurrent('the invalid requests at a step find what shows only there', () => {
  test.each([
    ['looks at the state first, and does not check addresses', /^shipOrder\/request\/body\//],
    ['looks at the state first, and crashes on addresses', /^shipOrder\/request\/body\//],
    ['ships without a token', /^shipOrder\/auth\//],
    ['answers with a text as total', /^shipOrder\/response\/200\/body\/total\/type$/],
  ])('%s', async (fault, obligation) => {
    const ledger = await run(fault)
    expect(failed(ledger).filter(id => obligation.test(id))).not.toEqual([])
    expect(failed(ledger).filter(id => !obligation.test(id) && !id.startsWith('shipOrder/'))).toEqual([])
    // Respect and its like see the steps alone, and these succeed.
    expect(inFlows(ledger)).toEqual(all)
  })
})

test('the ledger of workflows is read as it was written', async () => {
  const ledger = await run('ships what is not paid', { only: ['*/flow/*'] })
  expect(foldLedger(readLedger(writeLedger(ledger)))).toEqual(ledger)
})

test('the chains of a run that worked are workflows that work', async () => {
  const ledger = await run('')
  const text = reports.arazzo.write(ledger)
  const written = readFlows(text, 'flows.arazzo.json', contract, none)
  expect(written.length).toBeGreaterThan(0)
  const again = await run('', { flows: written, seed: 2, only: ['*/flow/*'] })
  expect(new Set(Object.values(inFlows(again)))).toEqual(new Set(['passed']))
  // A fault that they go by is seen.
  const broken = await run('takes orders for a hundred', { flows: written, only: ['*/flow/*'] })
  expect(failed(broken)).not.toEqual([])
})

test('replay says how a step is run again', async () => {
  const ledger = await run('ships what is not paid', { only: ['*/flow/*'] })
  const finding = ledger.findings.find(({ obligation }) => obligation.endsWith('sell/shipTooEarly'))
  await expect(
    replay({
      contract,
      ledger,
      id: finding?.id ?? '',
      target: new URL('http://127.0.0.1:1'),
      token,
      seed: 1,
    }),
  ).rejects.toThrow(
    'it is a step of a workflow: run that again, with plantstore verify … --arazzo orders.arazzo.yaml --only shipOrder/flow/sell/shipTooEarly',
  )
})

test('a criterion that is no JSONPath leaves its step untested, with the reason', async () => {
  const text = readFileSync(file('orders.arazzo.yaml'), 'utf8').replace('$[?@.status', '$[?@@.status')
  const ledger = await run('', {
    flows: readFlows(text, 'orders.arazzo.yaml', contract, none),
    only: ['*/flow/*'],
  })
  expect(inFlows(ledger)).toEqual({ ...all, 'sell/read': 'untested' })
  const { verdict } = ledger.entries.find(({ obligation }) => obligation.id.endsWith('sell/read')) ?? {}
  expect(verdict).toMatchObject({ reason: expect.stringMatching(/^sell: .* is not a JSONPath \(RFC 9535\)/) })
})

test('an input of the user takes the place of the default', async () => {
  const ledger = await run('', { flowInputs: { 'sell.quantity': 3 }, only: ['*/flow/*'] })
  // The last step expects two.
  expect(inFlows(ledger)).toEqual({ ...all, 'sell/read': 'failed' })
  expect(ledger.findings[0]?.actual).toContain('"quantity":3')
})

describe.concurrent('a step that fails is sent again as its action says', () => {
  const text = readFileSync(file('orders.arazzo.yaml'), 'utf8')
  const retrying = (limit: number) => {
    const action = `{ name: again, type: retry, retryAfter: 0.01, retryLimit: ${limit} }`
    const changed = text.replace(
      '      - stepId: read\n',
      `        onFailure: [${action}]\n      - stepId: read\n`,
    )
    return readFlows(changed, 'orders.arazzo.yaml', contract, none)
  }
  test.each([
    [1, 'passed'],
    [0, 'failed'],
  ])('%i times', async (limit, verdict) => {
    const ledger = await run('busy at first', { flows: retrying(limit), only: ['*/flow/*'] })
    expect(inFlows(ledger)['sell/ship']).toBe(verdict)
  })
})

describe('selectors of Arazzo 1.1', () => {
  const selling = (rest: string, version = '1.1.0'): string => `arazzo: ${version}
info: { title: Order flows, version: 1.0.0 }
sourceDescriptions: [{ name: orders, url: orders.openapi.yaml, type: openapi }]
workflows:
  - workflowId: sell
    inputs: { type: object, properties: { wanted: { type: object, default: { lamps: 2 } } } }
    steps:
      - stepId: create
        operationId: createOrder
        requestBody:
          payload: { item: desk, quantity: 9 }
          replacements:
            - { target: $.item, targetSelectorType: jsonpath, value: lamp }
            - target: /quantity
              value: { context: $inputs.wanted, selector: $.lamps, type: jsonpath }
        successCriteria: [{ condition: $response.body#/quantity == 2 && $response.body#/item == 'lamp' }]
        outputs:
          whole: $response.body
          total: { context: $response.body, selector: /total, type: { type: jsonpointer, version: rfc6901 } }
${rest}`
  const paying = (id: string): string => `
      - stepId: pay
        operationId: payOrder
        parameters: [{ name: orderId, in: path, value: ${id} }]
        requestBody:
          payload:
            amount: $steps.create.outputs.total
            reference: { context: $steps.create.outputs.whole, selector: $.status, type: jsonpath }
        successCriteria: [{ condition: $response.body#/status == 'paid' }]
`
  const idBy = (selector: string, type: string): string =>
    `{ context: $steps.create.outputs.whole, selector: "${selector}", type: ${type} }`
  const read = (text: string) => readFlows(text, 'sell.yaml', contract, none)
  const reasonsOf = async (text: string) => {
    const ledger = await run('', { flows: read(text), only: ['*/flow/*'] })
    return ledger.entries.flatMap(({ obligation, verdict }) =>
      obligation.family === 'flow' ? [verdict.kind, 'reason' in verdict ? verdict.reason : ''] : [],
    )
  }

  test.each([
    idBy('$.id', 'jsonpath'),
    idBy('/id', 'jsonpointer'),
    idBy('$..id', '{ type: jsonpath, version: rfc9535 }'),
  ])('in outputs, parameters, bodies and replacements: %s', async id => {
    expect(await reasonsOf(selling(paying(id)))).toEqual(['passed', '', 'passed', ''])
  })

  test('one that finds nothing, or is no JSONPath, leaves its step untested, with the reason', async () => {
    expect(await reasonsOf(selling(paying(idBy('$.none', 'jsonpath'))))).toEqual([
      ...['passed', '', 'untested'],
      '$.none in $steps.create.outputs.whole has no value in step pay of sell',
    ])
    const [, , kind, reason] = await reasonsOf(selling(paying(idBy('$[', 'jsonpath'))))
    expect(kind).toBe('untested')
    expect(reason).toContain('$[ is not a JSONPath (RFC 9535)')
  })

  test('one of another type is an error of the document, by line', () => {
    const lines = (text: string) => {
      try {
        return read(text)
      } catch (error) {
        return (error as DocumentError).problems.map(({ message, place }) => [message, place?.line])
      }
    }
    expect(lines(selling(paying(idBy('/Order/Id', 'xslt'))))).toEqual([
      ['selectors of type xslt are not supported: use jsonpath, jsonpointer or xpath', 23],
    ])
    expect(lines(selling('').replace('targetSelectorType: jsonpath', 'targetSelectorType: xpath'))).toEqual([
      ['targets of type xpath are not supported: use jsonpath or jsonpointer', 13],
    ])
  })
})
