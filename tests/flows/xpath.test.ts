/** Workflows of a service that speaks XML, and steps that no HTTP client can make. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract, readFlows } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const order = (id: number, entities = ''): string =>
  `<?xml version="1.0"?>${entities}<o:order xmlns:o="urn:orders"><id>${id}</id><total>12.5</total><line n="1"/><line n="2"/></o:order>`

const xml = { content: { 'application/xml': { schema: { type: 'object' } } } }
const document = documentWith({
  '/orders/{id}': {
    get: {
      operationId: 'getOrder',
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: {
        200: { description: 'shown', ...xml },
        404: { description: 'none' },
        400: { description: 'no' },
      },
    },
  },
})
const contract = await loadContract({ from: writeDocument('orders.json', document) })

const arazzo = (
  condition: string,
  rest = '',
  id = '{ context: $steps.first.outputs.body, selector: //id, type: xpath }',
) => `arazzo: 1.1.0
info: { title: Orders, version: 1.0.0 }
sourceDescriptions:
  - { name: orders, url: orders.json, type: openapi }
  - { name: events, url: events.json, type: asyncapi }
workflows:
  - workflowId: look
    steps:
      - stepId: first
        operationId: orders.getOrder
        parameters: [{ name: id, in: path, value: 7 }]
        successCriteria:
          - { context: $response.body, condition: ${JSON.stringify(condition)}, type: { type: xpath, version: xpath-30 } }
        outputs: { body: $response.body }
${rest}
      - stepId: again
        operationId: orders.getOrder
        parameters: [{ name: id, in: path, value: ${id} }]
`

const play = async (text: string, body = order) => {
  const asked: string[] = []
  const { url, close } = await listen(
    createServer((request, response) => {
      const [, id] = /^\/orders\/(\d+)$/.exec(request.url ?? '') ?? []
      asked.push(request.url ?? '')
      if (id === undefined) return void response.writeHead(400).end()
      response.writeHead(200, { 'Content-Type': 'application/xml' }).end(body(Number(id)))
    }),
  )
  const flows = readFlows(text, 'look.yaml', contract, () => {
    throw new Error('the document names no other')
  })
  try {
    const { entries } = await verify({
      target: url,
      contract,
      seed: 1,
      sustained: 0,
      flows,
      only: ['*/flow/*'],
    })
    const told = entries.flatMap(({ obligation: { family }, verdict }) =>
      family === 'flow' ? [[verdict.kind, 'reason' in verdict ? verdict.reason : ''] as const] : [],
    )
    return { told, asked }
  } finally {
    await close()
  }
}

const passed = ['passed', '']

test.each([
  '/o:order/id = 7',
  'count(//line) = 2',
  "//line[@n = '2']",
  'every $n in //line/@n satisfies xs:integer($n) > 0',
  'not(//error)',
])('%s holds, and a value that an XPath finds goes into the next request', async condition => {
  const { told, asked } = await play(arazzo(condition))
  expect(told).toEqual([passed, passed])
  expect(asked.filter(path => path === '/orders/7').length).toBeGreaterThan(1)
})

test.each(['/o:order/id = 8', '//error', '/order/id = 7', "//total = 'much'"])(
  '%s does not hold',
  async condition => {
    const { told } = await play(arazzo(condition))
    expect(told[0]?.[0]).toBe('failed')
  },
)

test('what is no XPath, or no XML, leaves its step untested, with the reason', async () => {
  const reasonOf = async (...of: Parameters<typeof play>) => (await play(...of)).told[0]
  expect(await reasonOf(arazzo('//['))).toEqual([
    'untested',
    expect.stringContaining('the XPath //[ cannot be evaluated: '),
  ])
  const bomb = (id: number): string => order(id, '<!DOCTYPE o:order [<!ENTITY a "aaaa">]>')
  expect(await reasonOf(arazzo('//id'), bomb)).toEqual([
    'untested',
    expect.stringContaining('the XML declares entities'),
  ])
  expect((await reasonOf(arazzo('//id'), () => '<order>'))?.[0]).toBe('untested')
})

test.each([
  'channelPath: $sourceDescriptions.events#/channels/paid',
  'operationId: events.onPaid',
  'operationId: $sourceDescriptions.events.onPaid',
])(
  'a step of AsyncAPI (%s) ends its workflow, with the reason, and the steps before it are tested',
  async lines => {
    const { told } = await play(
      arazzo('//id', `      - stepId: heard\n        ${lines}\n        action: receive`),
    )
    expect(told).toEqual([
      passed,
      ['untested', expect.stringContaining('step heard of look is a message of AsyncAPI')],
    ])
  },
)
