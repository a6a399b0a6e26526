/** A valid request is of many kinds. If it is rejected for one of them, the others are met by the requests that are accepted. */
import { expect, test } from 'vitest'
import { createInstance, objectIn, shown, verifyAnswering } from '../judge/answering.ts'

const properties = {
  scheme: { enum: ['http', 'https'] },
  host: { type: 'string' },
  port: { type: 'integer' },
  path: { type: 'string' },
}
const document = createInstance({ type: 'object', properties }, { 201: shown({}), 400: shown({}) })

/** The message says where the server looked, as WireMock's do. */
const rejecting = (name: string) => ({
  status: 400,
  body: { errors: [{ pointer: `/${name}`, detail: 'not a valid match operation' }] },
})

/** Whether a value fits the schema of the document. */
const fits = ({ scheme, host, port, path }: Readonly<Record<string, unknown>>): boolean =>
  [undefined, 'http', 'https'].includes(scheme as string) &&
  [host, path].every(text => text === undefined || typeof text === 'string') &&
  (port === undefined || Number.isInteger(port))

test('what the server rejects only beside another property is not called inconclusive', async () => {
  const { entries, findings } = await verifyAnswering(document, ({ body }) => {
    const value = objectIn(body)
    if (value === null) return { status: 400, body: {} }
    const { scheme, host, port, path } = value
    if (host !== undefined) return rejecting('host')
    if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return rejecting('scheme')
    if (port !== undefined && !Number.isInteger(port)) return rejecting('port')
    return path !== undefined && typeof path !== 'string' ? rejecting('path') : { status: 201, body: {} }
  })
  const of = (end: string) =>
    entries.find(({ obligation }) => obligation.id === `createThing/request/${end}`)?.verdict
  expect(findings.map(({ title }) => title)).toContain(
    'takes only some texts as `host`, without the document saying which',
  )
  expect(of('combined')).toMatchObject({ kind: 'passed', except: { finding: findings.at(-1)?.id } })
  const failed = entries
    .filter(({ verdict }) => verdict.kind === 'failed')
    .map(({ obligation }) => obligation.id)
  const isOfHost = (id: string): boolean => /host|\/all$|request\/valid$/.test(id)
  expect(failed.filter(id => id.includes('request/body/') && !isOfHost(id) && !id.includes('json/'))).toEqual(
    [],
  )
  for (const end of ['scheme/enum/0', 'scheme/enum/1', 'port/zero', 'path/ascii'])
    expect(of(`body/${end}`)?.kind, end).toBe('passed')
  const open = entries.filter(({ verdict }) => verdict.kind === 'inconclusive')
  expect(
    open.map(({ obligation, verdict }) => [obligation.id, 'reason' in verdict && verdict.reason]),
  ).toEqual([])
})

test('what is rejected only for want of an optional property is met, and the rule is one finding', async () => {
  const { entries, findings } = await verifyAnswering(document, ({ body }) => {
    const value = objectIn(body)
    if (value === null) return { status: 400, body: {} }
    return fits(value) && value.host !== undefined
      ? { status: 201, body: {} }
      : { status: 400, body: { error: 'no' } }
  })
  expect(findings.filter(({ title }) => title.includes('optional')).map(({ title }) => title)).toEqual([
    'requires `host`, which the document calls optional',
  ])
  const failed = entries
    .filter(({ obligation, verdict }) => verdict.kind === 'failed' && obligation.family === 'accept')
    .map(({ obligation }) => obligation.id)
  expect(failed.filter(id => /request\/body\/(?:scheme|port|path)\//.test(id))).toEqual([])
  expect(failed).toContain('createThing/request/valid')
})

test('a server that requires one of several properties is not told to require one of them', async () => {
  const { findings } = await verifyAnswering(document, ({ body }) => {
    const value = objectIn(body)
    if (value === null) return { status: 400, body: {} }
    const { host, port, path } = value
    const isEnough = host !== undefined || port !== undefined || path !== undefined
    return fits(value) && isEnough ? { status: 201, body: {} } : { status: 400, body: { error: 'no' } }
  })
  const ofRule = findings.filter(({ title }) => title.includes('optional'))
  expect(ofRule.map(({ title, requires }) => [title, requires])).toEqual([
    ['requires `host` or `path` or `port`, which the document calls optional', undefined],
  ])
  expect(ofRule[0]?.hint).toContain('anyOf')
})

test('what is rejected only beside another property is not told as values that the server rejects', async () => {
  const either = createInstance(
    {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'string' } }, search: { type: 'string' } },
    },
    { 201: shown({}), 400: shown({}) },
  )
  const { findings } = await verifyAnswering(either, ({ body }) => {
    const value = objectIn(body)
    if (value === null) return { status: 400, body: {} }
    const { ids, search } = value
    const isRight =
      (search === undefined || typeof search === 'string') &&
      (ids === undefined || (Array.isArray(ids) && ids.every(id => typeof id === 'string')))
    const isBoth = ids !== undefined && search !== undefined
    return isRight && !isBoth ? { status: 201, body: {} } : { status: 400, body: { error: 'either of them' } }
  })
  const ofRule = findings.filter(({ title }) => /`(?:ids|search)`/.test(title)).map(({ title }) => title)
  expect(ofRule).toEqual(['rejects some values of `ids` beside `search`, without the document saying which'])
})
