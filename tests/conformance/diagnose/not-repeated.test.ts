import { expect, test } from 'vitest'
import type { Cluster } from '../../../conformance/diagnose/cluster.ts'
import { byAnswer } from '../../../conformance/diagnose/not-repeated.ts'
import { lostAsOthers } from '../../../conformance/diagnose/of-load.ts'
import { findingCause } from '../../../conformance/judge/mechanism.ts'
import { isConnection } from '../../../conformance/judge/record-outcome.ts'
import { createRunStats, statsOf } from '../../../conformance/judge/run-stats.ts'
import { deriveObligations, isOneOfFew, type Obligation } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const obligations = [...deriveObligations(contracts.plantStore, 'declared')].flat()
const named = (end: string): Obligation => {
  const found = obligations.find(({ id }) => id.endsWith(end))
  if (found === undefined) throw new Error(`no obligation ends in ${end}`)
  return found
}
const valid = named('/request/valid')

/** A rejection of valid requests that were about this. */
const cluster = (
  obligation: Obligation,
  repeat: 'unrepeated' | 'steady' | 'open',
  more: object = {},
  status = 400,
): Cluster => {
  const failure = { message: 'not today', ...more }
  const response = { status, headers: [], body: Buffer.from(JSON.stringify(failure)) }
  const spec = { ...requestSpec, body: { id: 7, name: 'Fern', tag: 'green' } }
  const testCase = { number: 1, obligation, expectation: 'accept', spec }
  const incident = {
    testCase,
    outcome: { kind: 'response', response, ms: 1 },
    violation: { id: obligation.id },
  }
  const confirmed = {
    ...{ incident, key: 'a' },
    ...(repeat === 'open' ? { repeat: 'steady', isBlameOpen: true } : { repeat }),
  }
  return {
    ...{ obligations: [obligation], also: [], confirmed, incidents: [incident], cases: 1, key: 'a' },
  } as unknown as Cluster
}

/** What is told, and what is excused, if the server has accepted something of this operation. */
const told = (clusters: readonly Cluster[]) => {
  const stats = createRunStats()
  statsOf(stats, named('/request/body/name/ascii').id).cases = 1
  const excused = new Map<string, string>()
  const left = byAnswer(clusters, valid, obligations, stats, excused, new Map())
  return { left: left.flatMap(each => each.obligations.map(({ id }) => id)), excused: [...excused.keys()] }
}

const percent = named('/request/body/name/percent')
const sql = named('/request/body/name/sql')

test('what was rejected once, and not sent again, is told of any valid request', () => {
  expect(told([cluster(percent, 'unrepeated')])).toEqual({ left: [valid.id], excused: [percent.id] })
  expect(told([cluster(percent, 'unrepeated'), cluster(sql, 'unrepeated')])).toEqual({
    left: [valid.id],
    excused: [percent.id, sql.id],
  })
})

test('an error that came to one unusual value alone is of that value, though nobody asked without it', () => {
  const [inName, inTag] = [named('/request/body/name/nul'), named('/request/body/tag/nul')]
  const failed = (obligation: Obligation) => cluster(obligation, 'unrepeated', {}, 500)
  expect(told([failed(inName), failed(inTag)])).toEqual({ left: [inName.id, inTag.id], excused: [] })
  expect(told([failed(inName), failed(sql)])).toEqual({ left: [valid.id], excused: [inName.id, sql.id] })
})

test('what came again, and nobody knows what for, is told of any valid request', () => {
  expect(told([cluster(percent, 'open')])).toEqual({ left: [valid.id], excused: [percent.id] })
  expect(told([cluster(percent, 'open'), cluster(sql, 'steady')])).toEqual({
    left: [sql.id],
    excused: [percent.id],
  })
})

test('what was rejected in the same words and sent again tells it', () => {
  expect(told([cluster(percent, 'unrepeated'), cluster(sql, 'steady')])).toEqual({
    left: [sql.id],
    excused: [percent.id],
  })
  expect(told([cluster(sql, 'steady')])).toEqual({ left: [sql.id], excused: [] })
})

test('what a rule was found for tells all in the same words, by the finding that tells the rule', () => {
  const ofRule = cluster(sql, 'steady')
  const rule = { key: 'requires tag', parts: [], title: 'requires `tag`', hint: '' }
  const ruled = { ...ofRule, confirmed: { ...ofRule.confirmed, rule } } as unknown as Cluster
  const clusters = [cluster(percent, 'unrepeated'), ruled]
  expect(told(clusters)).toEqual({ left: [sql.id], excused: [percent.id] })
  const stats = createRunStats()
  const excused = new Map<string, string>()
  statsOf(stats, named('/request/body/name/ascii').id).cases = 1
  byAnswer(clusters, valid, obligations, stats, excused, new Map())
  expect(excused.get(percent.id)).toBe(`its requests were rejected as others were: see ${valid.id}`)
})

test.each<readonly [more: object, isAbout: boolean]>([
  [{ field: 'tag' }, false],
  [{ errors: [{ source: { pointer: '/tag' } }] }, false],
  [{ detail: [{ loc: ['body', 'tag'], msg: 'too short' }] }, false],
  [{ field: 'name' }, true],
  [{ errors: [{ field: 'tag' }, { field: 'name' }] }, true],
  // Nothing of the request is called so.
  [{ field: 'store' }, true],
  [{ name: 'ValidationError' }, true],
  [{}, true],
])('a rejection that says %j is about the name: %s', (more, isAbout) => {
  expect(told([cluster(sql, 'steady', more)])).toEqual(
    isAbout ? { left: [sql.id], excused: [] } : { left: [valid.id], excused: [sql.id] },
  )
})

const tag = named('/request/body/tag/sql')

test.each<
  readonly [passed: boolean, message: string, other: Obligation, told: 'passed' | 'excused' | 'nothing']
>([
  [true, 'a tag has to be a known colour', tag, 'passed'],
  [false, 'a tag has to be a known colour', tag, 'excused'],
  // It may be rejected for the name itself.
  [true, 'a name has to be a known plant', sql, 'nothing'],
  // All rejections say so.
  [true, 'Bad Request', tag, 'nothing'],
])('what nobody sent again: passed elsewhere: %s, rejected with %j', (passed, message, other, expected) => {
  const stats = createRunStats()
  const ofPercent = statsOf(stats, percent.id)
  ofPercent.cases = 2
  ofPercent.failed = passed ? 1 : 2
  const excused = new Map<string, string>()
  const tellers = new Map<number, string>()
  const { incidents } = cluster(percent, 'unrepeated', { message })
  byAnswer([cluster(other, 'steady', { message })], valid, obligations, stats, excused, tellers, incidents)
  expect([...tellers.values()]).toEqual(expected === 'passed' ? [other.id] : [])
  expect([...excused.keys()]).toEqual(expected === 'excused' ? [percent.id] : [])
})

test('a connection that an invalid request lost is not told of a valid one', () => {
  const lost = cluster(sql, 'unrepeated')
  const { incident } = lost.confirmed
  const outcome = { kind: 'failure', failure: 'reset', status: null, detail: 'closed', ms: 1 } as const
  const invalid = { ...incident, testCase: { ...incident.testCase, expectation: 'reject' as const }, outcome }
  const shown = { ...lost, confirmed: { ...lost.confirmed, incident: invalid }, incidents: [invalid] }
  expect(told([shown])).toEqual({ left: [sql.id], excused: [] })
})

/** The same without a response. */
const lostBy = (each: Cluster): Cluster => {
  const { incident } = each.confirmed
  const outcome = { kind: 'failure', failure: 'reset', status: null, detail: 'closed', ms: 1 } as const
  const shown = { ...incident, outcome }
  return { ...each, confirmed: { ...each.confirmed, incident: shown }, incidents: [shown] }
}

test.each(['unrepeated', 'open'] as const)(
  'a connection that only a request with something special lost is told of that: %s',
  repeat => {
    const upgrade = named('/request/framing/upgrade')
    const layout = named('/request/layout/whitespace')
    const lost = [upgrade, layout].map(each => lostBy(cluster(each, repeat)))
    expect(told(lost)).toEqual({ left: [upgrade.id, layout.id], excused: [] })
    // If any valid request loses it, that tells all.
    expect(told([...lost, lostBy(cluster(valid, 'steady'))])).toEqual({
      left: [valid.id],
      excused: [upgrade.id, layout.id],
    })
    // What each request is in one way or another is nothing special.
    const few = obligations.find(({ subject }) => isOneOfFew(subject)) as Obligation
    expect(told([lostBy(cluster(few, repeat))])).toEqual({ left: [valid.id], excused: [few.id] })
  },
)

test('connections lost by the same thing at several operations have one cause, at the level of that', () => {
  const upgrade = named('/request/framing/upgrade')
  const upgrades = ['a', 'b'].map(operation => ({ ...upgrade, operation }))
  const causes = upgrades.map(each => {
    const { incident } = lostBy(cluster(each, 'unrepeated')).confirmed
    return findingCause(each, incident, 'unrepeated', [])
  })
  expect(upgrade.level).toBe('SHOULD')
  expect(new Set(causes.map(({ key }) => key)).size).toBe(1)
  expect(causes[0]?.title).toBe('closed the connection on a request that offers to change the protocol')
})

test.each([
  [false, 1, 'answered 500 for what does not exist'],
  [true, 2, 'answered 500: «there is no such fern in the garden»'],
])(
  'crashes for what does not exist have one cause, whatever they say (exists: %s)',
  (exists, count, title) => {
    const said = ['there is no such fern in the garden', "the variable of this execution doesn't exist"]
    const causes = said.map(message => {
      const { incident } = cluster(valid, 'unrepeated', { message }).confirmed
      if (incident.outcome.kind !== 'response') throw new Error('it has a response')
      const outcome = { ...incident.outcome, response: { ...incident.outcome.response, status: 500 } }
      const testCase = { ...incident.testCase, chain: { steps: [], values: ['a'], exists } }
      return findingCause(valid, { ...incident, testCase, outcome }, 'unrepeated', [])
    })
    expect(new Set(causes.map(({ key }) => key)).size).toBe(count)
    expect(causes[0]?.title).toBe(title)
  },
)

test('an invalid request that is answered as valid ones are shows nothing of what is wrong with it', () => {
  const type = obligations.find(({ family }) => family === 'reject') as Obligation
  const shape = obligations.find(({ family }) => family === 'response') as Obligation
  const rejected = cluster(type, 'steady')
  const { incident } = rejected.confirmed
  const invalid = { ...incident, testCase: { ...incident.testCase, expectation: 'reject' as const } }
  const shown = { ...rejected, confirmed: { ...rejected.confirmed, incident: invalid }, incidents: [invalid] }
  expect(told([cluster(sql, 'steady'), shown])).toEqual({ left: [sql.id], excused: [type.id] })
  expect(told([shown])).toEqual({ left: [type.id], excused: [] })
  // What the answer itself breaks is shown by whatever got it.
  const wrong = { ...shown, obligations: [shape] }
  expect(told([cluster(sql, 'steady'), wrong])).toEqual({ left: [sql.id, shape.id], excused: [] })
})

test.each([
  [401, true],
  [400, false],
])(
  'credentials in another spelling that were rejected once with %i tell it themselves: %s',
  (status, isOwn) => {
    const lowerCase = named('/auth/lower-case-scheme')
    const found = cluster(lowerCase, 'unrepeated')
    const { incident } = found.confirmed
    if (incident.outcome.kind !== 'response') throw new Error('it has a response')
    const outcome = { ...incident.outcome, response: { ...incident.outcome.response, status } }
    const rejected = { ...found, confirmed: { ...found.confirmed, incident: { ...incident, outcome } } }
    expect(told([rejected]).left).toEqual([isOwn ? lowerCase.id : valid.id])
  },
)

test('where many connections are lost, one that was lost once is one of them', () => {
  const lost = (repeat: 'unrepeated' | 'steady'): Cluster => {
    const { confirmed, ...rest } = cluster(percent, repeat)
    const outcome = { kind: 'failure', failure: 'reset', status: null, detail: '', ms: 1 } as const
    return { ...rest, confirmed: { ...confirmed, incident: { ...confirmed.incident, outcome } } }
  }
  const all = [lost('unrepeated'), lost('steady'), cluster(sql, 'unrepeated')]
  const connection = obligations.find(isConnection)
  if (connection === undefined) throw new Error('no obligation of connections')
  const restIfLost = (failed: number): number => {
    const stats = createRunStats()
    Object.assign(statsOf(stats, connection.id), { cases: 300, failed })
    return lostAsOthers(all, obligations, stats)[1].length
  }
  expect(lostAsOthers(all, obligations, createRunStats())[1]).toEqual(all)
  expect(restIfLost(1)).toBe(3)
  expect(restIfLost(40)).toBe(2)
})
