/** `ledger.schema.json` describes what runs write, no more and no less. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { ledgerSchema, readLedger } from '../../../reports/index.ts'
import type { RunEvent } from '../../../spec/index.ts'
import { fiveFaults } from '../../broken-servers/five-faults.ts'
import { startServer } from '../../broken-servers/index.ts'
import { ordersDocument } from '../../documents/index.ts'
import { end } from '../fixture.ts'
import { runs } from '../runs.ts'

/** The schema with every object closed: a member that it does not know is an error. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  const isWhole = 'properties' in schema && 'required' in schema && !('allOf' in schema)
  return isWhole ? { ...members, additionalProperties: false } : members
}

const compile = (schema: unknown): ValidateFunction =>
  new Ajv2020({ strict: true, validateFormats: false }).compile(schema as object)
const validate = compile(ledgerSchema)
const validateClosed = compile(closed(ledgerSchema))

const expectValid = (validator: ValidateFunction, event: RunEvent): void => {
  const isValid: boolean = validator(event)
  if (!isValid) expect.fail(`${event.type}: ${JSON.stringify(validator.errors?.slice(0, 2))}`)
}

const eventsOf = async (options: VerifyOptions): Promise<readonly RunEvent[]> => {
  const events: RunEvent[] = []
  await verify({ ...options, seed: 7, sustained: 0, onEvent: event => void events.push(event) })
  return events
}

const againstMock = async (contract?: string, cases = 250): Promise<readonly RunEvent[]> => {
  const document = contract === undefined ? {} : { contract }
  const mock = await createMock({ ...document, tokens: ['secret'] })
  try {
    return await eventsOf({ ...document, target: mock.url, token: 'secret', cases })
  } finally {
    await mock.close()
  }
}

const againstFiveFaults = async (): Promise<readonly RunEvent[]> => {
  const server = await startServer(fiveFaults)
  const waiver = {
    obligation: 'createPlant/auth/absent',
    reason: 'known',
    owner: 'me',
    expires: '2999-12-31',
  }
  const fixed = { ...waiver, obligation: 'createPlant/request/body/name/type/number' }
  try {
    return await eventsOf({
      target: server.url,
      token: server.token,
      cases: 300,
      malformedHttp: true,
      only: ['createPlant/auth', 'createPlant/protocol', 'createPlant/request/body/name'],
      waivers: [waiver, fixed],
      testedProduct: { name: 'Plant Store', version: '1.4.2' },
      runBy: 'Jane Doe',
      nonce: 'n-1',
    })
  } finally {
    await server.close()
  }
}

describe('real runs', () => {
  let all: readonly RunEvent[] = []
  beforeAll(async () => {
    const found = [
      await againstMock(),
      await againstMock(ordersDocument, 80),
      await againstFiveFaults(),
      await eventsOf({ target: 'http://127.0.0.1:9', token: 'secret', waitSeconds: 0 }),
    ]
    all = found.flat()
  }, 120_000)

  test('write every kind of event, and the verdicts that a run can have', () => {
    expect(new Set(all.map(({ type }) => type)).size).toBeGreaterThanOrEqual(5)
    const verdicts = all.flatMap(event => (event.type === 'verdict' ? [event.verdict.kind] : []))
    for (const kind of ['passed', 'failed', 'waived', 'observed', 'untested'])
      expect(verdicts).toContain(kind)
  })

  test('write events that the schema accepts', () => {
    for (const event of all) expectValid(validate, event)
  })

  test('write no member that the schema does not describe', () => {
    for (const event of all) expectValid(validateClosed, event)
  })
})

test('the end of a run over TLS has the certificates, as the schema describes them', () => {
  const certificate = {
    subject: 'CN=store.test',
    names: 'DNS:store.test',
    issuer: 'CN=ca.test',
    from: '2026-01-01T00:00:00.000Z',
    to: '2027-01-01T00:00:00.000Z',
    sha256: 'ab'.repeat(32),
    verified: true,
  }
  const withThem = end({ certificates: [certificate] })
  expectValid(validateClosed, withThem)
  for (const { name, value } of lacking(certificate))
    expect([name, validate({ ...withThem, certificates: [value] })]).toEqual([name, false])
})

test('the events of the example runs are valid, and have no other members', () => {
  for (const event of Object.values(runs).flat()) expectValid(validateClosed, event)
})

// Members that not every event has.
const optional = new Set(['raw', 'trace', 'names', 'question', 'pinned', 'clauses', 'excerpt'])

/** Every copy of a value that lacks one of its members, at any depth. */
function* lacking(value: unknown): Generator<{ readonly name: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) {
      const { [name]: _, ...rest } = value as Record<string, unknown>
      yield { name, value: rest }
    }
    for (const inner of lacking(member)) {
      const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
      copy[name] = inner.value
      yield { name: inner.name, value: copy }
    }
  }
}

/** Every copy of a value in which one member is of another type. */
function* mistyped(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) {
    yield typeof value === 'string' ? 7 : { wrong: true }
    return
  }
  for (const [name, member] of Object.entries(value))
    for (const inner of mistyped(member)) {
      const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
      copy[name] = inner
      yield copy
    }
}

// One event of each kind is enough: the start event alone has some hundred members.
const samples = Object.values(
  Object.groupBy(Object.values(runs).flat(), event =>
    event.type === 'verdict'
      ? event.verdict.kind
      : event.type === 'exchange'
        ? event.outcome.kind
        : event.type,
  ),
).flatMap(events => events?.slice(0, 1) ?? [])

test.each(samples.map(event => [event.type, event] as const))(
  'an event of the type %s that lacks a member is invalid, and one with a member of another type',
  (_type, event) => {
    for (const { name, value } of lacking(event)) {
      const isFree = name.startsWith('unauthenticated') || name === 'strict'
      expect(validate(value), `without ${name}`).toBe(optional.has(name) || isFree)
    }
    for (const value of mistyped(event))
      expect(validate(value), JSON.stringify(value).slice(0, 200)).toBe(false)
  },
)

test('the reader judges by the same schema, and names the first problem in one line', () => {
  for (const { name, value } of lacking(runs.conformant[0])) {
    const read = (): readonly RunEvent[] => readLedger(JSON.stringify(value))
    if (validate(value)) expect(read()).toHaveLength(1)
    else expect(read, name).toThrow(/^line 1 is not an event of a run: (it|\/\S+) (is missing|must [^\n]+)$/)
  }
})
