/** One fault that shows in many operations is one cause in every report; no finding and no verdict depends on that. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { reports } from '../../../reports/index.ts'
import {
  type Cause,
  causesOf,
  causeTitle,
  joiningOf,
  otherGroups,
  tellingApart,
} from '../../../reports/view/causes.ts'
import {
  type Finding,
  foldLedger,
  type Ledger,
  loadContract,
  type RecordedObligation,
  type StartEvent,
} from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { finding, response } from '../fixture.ts'
import { many } from '../formats/many.ts'

const operations = 60

const instance = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' }, tag: { type: 'string' } },
}
const error = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }
const content = (schema: object) => ({ 'application/json': { schema } })
const document = {
  openapi: '3.1.0',
  info: { title: 'Sixty', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/v1/thing${index}`,
      {
        post: {
          operationId: `createThing${index}`,
          requestBody: { required: true, content: content(instance) },
          responses: {
            200: { description: 'created', content: content(instance) },
            400: { description: 'rejected', content: content(error) },
          },
        },
      },
    ]),
  ),
}

/** Accepts JSON of the right shape and rejects other JSON, but crashes on what is no JSON: nothing catches what its parser throws. */
const withoutCatch = async () => {
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      const body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
      const isInstance = Number.isInteger(body?.id) && typeof body.name === 'string'
      answer.writeHead(isInstance ? 200 : 400, { 'Content-Type': 'application/json' })
      answer.end(JSON.stringify(isInstance ? body : { message: 'no thing' }))
    } catch (thrown) {
      answer.writeHead(500, { 'Content-Type': 'text/html' }).end(`<h1>Internal Server Error</h1>${thrown}`)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const runOnce = async (): Promise<Ledger> => {
  const server = await withoutCatch()
  try {
    return await verify({
      target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      contract: await loadContract({ from: writeDocument('sixty.json', JSON.stringify(document)) }),
      only: ['*/request/body/json/*'],
      cases: operations * 25,
      sustained: 0,
      seed: 1,
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a missing try/catch in a document of 60 operations', () => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await runOnce()
  }, 60_000)
  const title = /answered 500 to malformed JSON, in 60 operations \([\d,]+ findings\)/g

  test('has a finding for each kind of malformed JSON in each operation, all with one cause', () => {
    expect(ledger.findings.length).toBeGreaterThan(operations * 15)
    const [cause, ...others] = causesOf(ledger.findings, ledger)
    expect(others.map(other => [other.title, other.findings.length])).toEqual([])
    expect(cause?.findings).toEqual(ledger.findings)
    expect(cause?.operations.length).toBe(operations)
  })

  test.each(['terminal', 'html', 'markdown', 'github', 'record'] as const)('is told once in %s', name => {
    const text = reports[name].write(ledger).replaceAll('%2C', ',')
    // The page of the HTML report has it in its first screen, too.
    expect(text.match(title)?.length).toBe(name === 'html' ? 2 : 1)
  })

  test('is named by each test of JUnit that fails for it, and once if there is a test for each operation', () => {
    const failed = ledger.entries.filter(({ verdict }) => verdict.kind === 'failed').length
    expect(reports['junit-full'].write(ledger).match(title)?.length).toBe(failed)
    expect(reports.junit.write(ledger).match(title)?.length).toBe(1)
    expect(reports.junit.write(ledger).match(/<failure /g)?.length).toBe(operations)
  })

  test('is one entry of report.json, with every finding', () => {
    const { causes, findings, omitted } = JSON.parse(reports.json.write(ledger))
    expect(causes).toEqual([
      {
        title: 'answered 500 to malformed JSON',
        status: 'failed',
        operations: ledger.start.operations.map(({ id }) => id),
        findings: ledger.findings.map(({ id, obligation }) => ({ id, obligation })),
      },
    ])
    expect(findings.length + omitted.findings).toBe(ledger.findings.length)
    expect(findings.length).toBeGreaterThan(100)
  })

  test('makes an HTML section of findings that grows with its links only', () => {
    const [section = ''] = /<section id="findings"[\s\S]*?<\/section>/.exec(reports.html.write(ledger)) ?? []
    expect(section.match(/<article /g)?.length).toBe(1)
    expect(section.length).toBeLessThan(ledger.findings.length * 150)
    expect(section.match(/<li class="screen">/g)?.length).toBe(30)
    expect(section).toContain(`and ${operations - 40} more lines`)
    expect(section).toContain('<li class="paper">and 50 more lines: ')
  })
})

const of = (obligation: string, changes: Partial<Finding> = {}): Finding =>
  finding('', { obligation, ...changes })
const start = (many(12).find(({ type }) => type === 'start') ?? {}) as StartEvent
const kinds = ['truncated', 'comment'].map(kind => {
  const names = ['request', 'body', 'json', kind]
  return { ...start.obligations[0], id: `operation000/${names.join('/')}`, names } as RecordedObligation
})
const sizes = (...findings: readonly Finding[]): readonly number[] =>
  causesOf(findings, { start: { ...start, obligations: [...start.obligations, ...kinds] } }).map(
    ({ findings: members }) => members.length,
  )

const [one, other] = ['operation000/request/body/id/type', 'operation001/request/body/id/type']

test('the same failure with another value has the same cause', () => {
  expect(sizes(of(one), of(other, { title: 'accepted `id` as a string of digits ("-17")' }))).toEqual([2])
})

test.each<readonly [what: string, changes: Partial<Finding>]>([
  ['level', { level: 'SHOULD' }],
  ['expectation', { expectation: 'accept' }],
  ['expected', { expected: '401' }],
  ['repeat', { repeat: 'flaky' }],
  ['title', { title: 'rejected `id` as a string of digits' }],
  ['status', { outcome: response(201, '') }],
  ['media type', { outcome: response(200, '', 'text/html') }],
  ['requirement', { obligation: 'operation001/request/body/name/type' }],
])('another %s is another cause', (_, changes) => {
  expect(sizes(of(one), of(other, changes))).toEqual([1, 1])
})

test('kinds of malformed JSON have one cause only if the server crashed on them', () => {
  const answered = (status: number) =>
    kinds.map(({ id }) => of(id, { title: id, outcome: response(status, '') }))
  expect(sizes(...answered(500))).toEqual([2])
  expect(sizes(...answered(200))).toEqual([1, 1])
})

test('a title says in how many operations and findings a cause shows', () => {
  const titles = (...findings: readonly Finding[]) =>
    causesOf(findings, { start }).map(cause => causeTitle(cause.title, cause))
  const title = 'accepted `id` as a string of digits ("0")'
  expect(titles(of(one))).toEqual([title])
  expect(titles(of(one), of(other))).toEqual([`${title}, in 2 operations`])
  expect(titles(of(one), of(one))).toEqual([`${title} (2 findings)`])
})

test('failures that are waived, in the baseline, or count have causes of their own', () => {
  const verdicts = ['failed', 'waived', 'baselined', 'failed'] as const
  const ids = verdicts.map((_, index) => `operation00${index}/request/body/id/type`)
  const waiver = { obligation: '', reason: 'r', owner: 'o', expires: '2999-12-31' }
  const ledger = foldLedger([
    start,
    ...ids.map((id, index) => of(id, { id: String(index) })),
    ...ids.map((obligation, index) => ({
      type: 'verdict' as const,
      obligation,
      verdict: {
        kind: verdicts[index] ?? 'failed',
        cases: 1,
        finding: String(index),
        waiver,
        since: '2026-01-01',
      },
    })),
  ])
  const { causes } = JSON.parse(reports.json.write(ledger))
  expect(
    causes.map(({ status, findings }: { status: string; findings: { id: string }[] }) => [
      status,
      findings.map(({ id }) => id),
    ]),
  ).toEqual([
    ['failed', ['0', '3']],
    ['waived', ['1']],
    ['baselined', ['2']],
  ])
})

/** A cause of its own for each of so many, which have a wider one in common. */
const caused = (count: number, wider?: string): readonly Cause[] =>
  causesOf(
    Array.from({ length: count }, (_, index) => {
      const key = `${wider} ${index}`
      const cause = { key, title: `said «${key}»`, place: '', ...(wider === undefined ? {} : { wider }) }
      return of(index % 2 === 0 ? one : other, { id: key, cause })
    }),
    { start },
  )
const [rejections, crashes, alone] = [caused(9, 'rejected'), caused(14, 'crashed'), caused(2)]

test('causes that have a wider one are joined only if there are too many, and no more than are needed', () => {
  const joinedIn = (...lists: Parameters<typeof joiningOf>[0]) =>
    lists.map(joiningOf(lists)).map(causes => causes.filter(({ isJoined }) => isJoined))
  expect(joinedIn([...rejections, ...crashes], alone)).toEqual([[], []])
  const [joined = [], warned] = joinedIn([...rejections, ...crashes], caused(3))
  expect(joined.map(({ title, findings }) => [title, findings.length])).toEqual([['rejected', 9]])
  expect(warned).toEqual([])
  const [both = []] = joinedIn([...rejections, ...crashes, ...caused(24)])
  expect(both.map(({ title }) => title)).toEqual(['rejected', 'crashed'])
})

test('joining loses no finding, and what counts stays apart from what does not', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), fc.nat({ max: 30 }), (sizes, excused) => {
      const failing = sizes.flatMap((size, index) => caused(size, index === 3 ? undefined : `wider ${index}`))
      const warning = caused(excused, 'wider 0')
      const [joinedFailing = [], joinedWarning = []] = [failing, warning].map(joiningOf([failing, warning]))
      const ids = (causes: readonly Cause[]) =>
        causes.flatMap(({ findings }) => findings.map(({ id }) => id)).sort()
      expect(ids(joinedFailing)).toEqual(ids(failing))
      expect(ids(joinedWarning)).toEqual(ids(warning))
    }),
  )
})

test('a cause is called by what the server said, if its first finding is not', () => {
  const titleOf = (title: string, ofCause: string) =>
    causesOf([of(one, { id: '1', title, cause: { key: 'a', title: ofCause, place: '' } })], { start })[0]
      ?.title
  const said = 'answered 500: «Unknown string format»'
  expect(titleOf('answered 500 to an empty text', said)).toBe(said)
  expect(titleOf('answered 500 to an empty text', 'answered 500 to texts')).toBe(
    'answered 500 to an empty text',
  )
  expect(titleOf('answered 500 to an empty text: «no»', said)).toBe('answered 500 to an empty text: «no»')
})

test('causes of one title name their operations, unless they are about several or all about one', () => {
  const of = (title: string, ...operations: readonly string[]): Cause => ({
    ...(alone[0] as Cause),
    title,
    operations,
  })
  const failing = [
    of('crashed', 'read'),
    of('crashed', 'read', 'write'),
    of('hung', 'read'),
    of('slow', 'read'),
  ]
  const warning = [of('crashed', 'write'), of('slow', 'read')]
  const headings = [failing, warning]
    .map(tellingApart([failing, warning]))
    .map(causes => causes.map(cause => causeTitle(cause.title, cause)))
  expect(headings).toEqual([
    ['crashed, in read', 'crashed, in 2 operations', 'hung', 'slow'],
    ['crashed, in write', 'slow'],
  ])
})

test('a joined cause tells its other findings by what the server said', () => {
  const many = [...crashes, ...caused(20)]
  const [joined] = joiningOf([many])(many)
  expect(otherGroups(joined as Cause, { start })[0]).toMatchObject({
    label: '«crashed 1»',
    findings: [{ place: 'operation001' }],
  })
})
