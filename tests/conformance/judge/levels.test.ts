/** How grave a failure is, and which is told first. */
import { expect, test } from 'vitest'
import { obligationsOf } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { failedOf, shown, verifyAnswering } from './answering.ts'

const integer = { type: 'integer', minimum: -10, maximum: 10 }
const operation = (more: object) => ({ get: { operationId: 'list', ...more } })

test('a server that reads -0 as a fraction is not accused of more than a SHOULD', async () => {
  const ledger = await verifyAnswering(
    {
      paths: {
        '/things': {
          ...operation({
            parameters: [{ name: 'offset', in: 'query', schema: integer }],
            responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
          }),
          post: {
            operationId: 'create',
            requestBody: {
              required: true,
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['n', 'one'],
                    properties: { n: { type: 'number' }, one: { type: 'integer', enum: [0, 1] } },
                  },
                },
              },
            },
            responses: { 201: { description: 'ok' }, 400: { description: 'no' } },
          },
        },
      },
    },
    ({ method, url, body }) => {
      if (url.pathname !== '/things') return { status: 404 }
      const isZero = (text: string): boolean => /^-0(\.0+)?(e.*)?$/i.test(text)
      if (method === 'GET') {
        const offset = url.searchParams.get('offset')
        const isRight = offset === null || (/^-?\d+$/.test(offset) && Math.abs(Number(offset)) <= 10)
        return { status: isRight && !isZero(offset ?? '') ? 200 : 400 }
      }
      return { status: /"n"\s*:\s*-0[,}\s]/.test(body) ? 400 : 201 }
    },
    { only: ['*/request/valid', 'list/request/query/*', 'create/request/body/n/*'] },
  )
  expect(failedOf(ledger, 'SHOULD')).toEqual([
    'list/request/query/offset/negative-zero',
    'create/request/body/n/negative-zero',
  ])
  const rejected = ledger.entries.filter(
    ({ obligation, verdict }) => obligation.family === 'accept' && verdict.kind === 'failed',
  )
  expect(rejected.map(({ obligation }) => obligation.level)).toEqual(['SHOULD', 'SHOULD'])
})

test.each(Object.entries(contracts))('nothing of %s has to take -0', (_name, contract) => {
  for (const { subject, level, id } of obligationsOf(contract))
    if (subject.kind === 'value' && subject.texts.some(text => /^-0/.test(text) && Number(text) === 0))
      expect(level, id).toBe('SHOULD')
})

test('a format of no specification is required neither in requests nor in responses', async () => {
  const fields = ['url', 'iso-date-time', 'currency', 'iso-time', 'json-pointer-uri-fragment', 'password']
  const properties = Object.fromEntries(fields.map(format => [format, { type: 'string', format }]))
  const schema = { type: 'object', required: fields, properties }
  const ledger = await verifyAnswering(
    {
      paths: {
        '/things': operation({
          parameters: fields.map(name => ({ name, in: 'query', schema: properties[name] })),
          responses: { 200: shown(schema), 400: { description: 'no' } },
        }),
      },
    },
    ({ url, method }) =>
      url.pathname === '/things' && method === 'GET'
        ? { status: 200, body: Object.fromEntries(fields.map(name => [name, '../no such'])) }
        : { status: 404 },
  )
  expect([failedOf(ledger, 'MUST'), failedOf(ledger, 'SHOULD')]).toEqual([[], []])
  expect(ledger.entries.filter(({ obligation }) => obligation.id.includes('/format'))).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
})

const text = { name: 'q', in: 'query', schema: { type: 'string' } }
const fails = { 400: { description: 'no' } }

test.each([
  ['500', { 500: { description: 'broken' } }],
  ['5XX', { '5XX': { description: 'broken' } }],
  ['default', { default: { description: 'anything' } }],
  ['nothing', {}],
])('a server that fails is told first, also if %s is declared', async (_name, declared) => {
  const ledger = await verifyAnswering(
    {
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            parameters: [{ name: 'n', in: 'query', schema: integer }],
            responses: { 200: { description: 'ok' }, ...fails },
          },
        },
        '/z': {
          get: {
            operationId: 'z',
            parameters: [text],
            responses: { 200: { description: 'ok' }, ...fails, ...declared },
          },
        },
      },
    },
    ({ url, method }) => {
      if (method !== 'GET') return { status: 404 }
      // It takes what it must reject, which is a MUST.
      if (url.pathname === '/a') return { status: 200 }
      return { status: url.searchParams.get('q')?.includes('\0') ? 500 : 200 }
    },
  )
  const [first, ...others] = ledger.findings
  expect(first?.title).toMatch(/^answered 500 to a string with the NUL character/)
  expect(others.some(({ level, obligation }) => level === 'MUST' && obligation.startsWith('a/'))).toBe(true)
  expect(first?.hint).toMatch(/^Reject NUL/)
})
