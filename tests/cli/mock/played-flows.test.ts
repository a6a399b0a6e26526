/** Workflows that the mock plays: what a client of them gets, and what is said of criteria that are not played. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { emptyFolder, start } from '../command.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(`../../flows/${name}`, import.meta.url))

const startMock = async (arazzo: string, ...more: readonly string[]) => {
  const spec = fileOf('orders.openapi.yaml')
  const mock = start(['mock', '--port', '0', '--spec', spec, '--arazzo', arazzo, '--stateful', ...more])
  onTestFinished(async () => {
    mock.kill('SIGTERM')
    await mock.ended
  })
  const [, url = ''] = await mock.shows(/at (http:\S+)/)
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { mock, url, post }
}

/** A file with one workflow, which reads an order and has these conditions. */
const workflowOf = (id: string, conditions: readonly string[]): string => {
  const file = join(emptyFolder(), `${id}.arazzo.yaml`)
  writeFileSync(
    file,
    `arazzo: 1.0.1
info: { title: Orders, version: 1.0.0 }
sourceDescriptions: [{ name: orders, url: ${fileOf('orders.openapi.yaml')}, type: openapi }]
workflows:
  - workflowId: ${id}
    inputs: { type: object, properties: { most: { type: integer, default: 9 } } }
    steps:
      - stepId: read
        operationId: getOrder
        parameters: [{ name: orderId, in: path, value: 1 }]
        successCriteria: [${conditions.map(condition => `{ condition: ${JSON.stringify(condition)} }`).join(', ')}]
`,
  )
  return file
}

test('a client of the workflow gets what its criteria say, step by step', async () => {
  const { post, mock } = await startMock(fileOf('orders.arazzo.yaml'), '--scenario-set', 'sell')
  const created = await post('/orders', { item: 'lamp', quantity: 2 })
  expect(created).toMatchObject({ status: 201, body: { status: 'open', quantity: 2 } })
  const order = `/orders/${created.body.id}`
  const address = { address: '12 Elm Street' }
  expect((await post(`${order}/shipment`, address)).status).toBe(409)
  const paid = await post(`${order}/payment`, { amount: 1, reference: 'order 1' })
  expect(paid).toMatchObject({ status: 200, body: { status: 'paid' } })
  const shipped = await post(`${order}/shipment`, address)
  expect(shipped).toMatchObject({ status: 200, body: { status: 'shipped' } })
  expect(await post(order, undefined)).toMatchObject({ status: 200, body: { quantity: 2 } })
  mock.kill('SIGTERM')
  const { stderr } = await mock.ended
  expect(stderr).toMatch(/sell\/read: the mock does not play `\$response\.body: \$\[\?@\.status == 'shipped'/)
  expect(stderr).not.toMatch(/sell\/(?:shipTooEarly|pay|ship):/)
})

test('the set is off until it is chosen, and a choice starts the workflow anew', async () => {
  const { post, url } = await startMock(fileOf('orders.arazzo.yaml'))
  const { body } = await post('/orders', { item: 'lamp', quantity: 2 })
  const ship = async (): Promise<number> =>
    (await post(`/orders/${body.id}/shipment`, { address: '12 Elm Street' })).status
  expect(await ship()).toBe(200)
  for (let time = 0; time < 2; time++) {
    await fetch(`${url}/__plantstore/sets/sell`, { method: 'POST' })
    expect([await ship(), await ship(), await ship()]).toEqual([409, 200, 200])
  }
})

test('what a merge patch cannot say, and what is no JSON, is named', async () => {
  const conditions = ["$response.body#/lines/0/state == 'new'", '$response.body#/total == 01']
  const arazzo = workflowOf('lists', conditions)
  const { mock, post } = await startMock(arazzo, '--scenario-set', 'lists')
  const { body } = await post('/orders', { item: 'lamp', quantity: 2 })
  expect((await post(`/orders/${body.id}`, undefined)).status).toBe(200)
  mock.kill('SIGTERM')
  const { stderr } = await mock.ended
  for (const condition of conditions) expect(stderr).toContain(`does not play \`${condition}\``)
})

test('an input stands for its default', async () => {
  const { post } = await startMock(
    workflowOf('defaults', ['$response.body#/quantity == $inputs.most']),
    '--scenario-set',
    'defaults',
  )
  const { body } = await post('/orders', { item: 'lamp', quantity: 2 })
  expect((await post(`/orders/${body.id}`, undefined)).body.quantity).toBe(9)
})

test('a status that the document does not declare is an error that names the workflow', async () => {
  const arazzo = workflowOf('odd', ['$statusCode == 418'])
  const mock = start(['mock', '--port', '0', '--spec', fileOf('orders.openapi.yaml'), '--arazzo', arazzo])
  const { code, stderr } = await mock.ended
  expect(code).toBe(2)
  expect(stderr).toMatch(/odd.*getOrder.*418 is not declared/s)
})
