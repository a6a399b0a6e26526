/** A control is the request of a case without what it tests: for every case of four contracts. */
import { describe, expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { violationsOf } from '../../../conformance/cases/expectation.ts'
import type { OperationModel } from '../../../conformance/cases/operation-model.ts'
import { renderRequest } from '../../../conformance/cases/render.ts'
import {
  asLongControl,
  branchControl,
  controlOf,
  isAboutLength,
  plainValuesOf,
  testedValue,
  writtenPlainly,
} from '../../../conformance/confirm/control.ts'
import { valueIn } from '../../../conformance/confirm/differences.ts'
import { isOfBody, type Json, placeOf, setAt, writeJson } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { type Cases, casesOf } from './cases-of.ts'

const all: readonly Cases[] = Object.values(contracts).flatMap(contract => casesOf(contract))
const pairs = all.flatMap(({ model, cases }) => cases.map(testCase => ({ model, testCase })))
/** Plain values are made without regard to patterns: what has none is valid. */
const plain = pairs.filter(
  ({ model: { contract } }) => contract === contracts.plantStore || contract === contracts.orders,
)
const isOfTwoParts = ({ obligation: { subject } }: TestCase): boolean =>
  subject.kind === 'credentials' && subject.name.endsWith('invalid-body')
const isValid = (model: OperationModel, { spec }: Pick<TestCase, 'spec'>): boolean =>
  violationsOf(model, spec.path, renderRequest(model.operation, spec), 'token').length === 0

/** What a case is about, if that is one value of the body. */
const placeIn = ({ obligation: { subject } }: TestCase): string | null =>
  (subject.kind === 'value' || subject.kind === 'keyword') &&
  isOfBody(subject.location) &&
  !subject.location.place.includes('*')
    ? subject.location.place
    : null

test('there are cases of all sorts', () => {
  expect(pairs.length).toBeGreaterThan(1000)
  const kinds = new Set(pairs.map(({ testCase }) => testCase.obligation.subject.kind))
  for (const kind of ['value', 'keyword', 'layout', 'framing', 'media', 'credentials', 'extra', 'malformed'])
    expect([kind, kinds.has(kind as 'value')]).toEqual([kind, true])
})

describe('a control', () => {
  test('of a request that has to be rejected is a valid request', () => {
    const invalid = plain.filter(
      ({ testCase }) => testCase.expectation === 'reject' && !isOfTwoParts(testCase),
    )
    const wrong = invalid.filter(({ model, testCase }) => {
      const spec = controlOf(testCase, model)
      return spec !== null && !isValid(model, { spec })
    })
    expect(wrong.map(({ testCase: { obligation } }) => obligation.id)).toEqual([])
  })

  test('of a valid request is one as well, and sends something else', () => {
    const valid = plain.filter(({ testCase: { expectation } }) => expectation === 'accept')
    for (const { model, testCase } of valid) {
      const spec = controlOf(testCase, model)
      if (spec === null) continue
      expect([testCase.obligation.id, isValid(model, { spec })]).toEqual([testCase.obligation.id, true])
    }
  })

  test('differs from its case only at the place that the case is about', () => {
    let compared = 0
    for (const { model, testCase } of pairs) {
      const place = placeIn(testCase)
      const { subject } = testCase.obligation
      const isWhole = place === '' && !(subject.kind === 'keyword' && subject.keyword === 'required')
      const spec = place === null || isWhole ? null : controlOf(testCase, model)
      if (spec === null || place === null) continue
      const at =
        subject.kind === 'keyword' && subject.keyword === 'required' ? `${place}/${subject.detail}` : place
      const good = testedValue(testCase, spec.body)
      expect(good).not.toBeUndefined()
      expect(writeJson(spec.body as Json)).toBe(
        writeJson(setAt(testCase.spec.body as Json, at, good as Json) as Json),
      )
      expect({ ...spec, body: 0, renewable: 0, derivedFrom: 0 }).toEqual({
        ...testCase.spec,
        body: 0,
        renewable: 0,
        derivedFrom: 0,
      })
      compared += 1
    }
    expect(compared).toBeGreaterThan(100)
  })

  test('has the value that an accepted request has at the place, if there is one', () => {
    for (const { model, testCase } of pairs) {
      const place = placeIn(testCase)
      const control = place === null ? null : controlOf(testCase, model)
      if (control === null) continue
      // The case itself, taken for an accepted request: its value is the good one.
      const { body } = testCase.spec
      const good = testedValue(testCase, body)
      const accepted = controlOf(testCase, model, testCase.spec)
      expect(testedValue(testCase, accepted?.body)).toEqual(good ?? testedValue(testCase, control.body))
    }
  })

  test('of how a request is sent is the same one, sent plainly', () => {
    const kinds = ['layout', 'framing', 'query-escapes', 'size', 'media', 'credentials', 'extra', 'malformed']
    for (const { model, testCase } of pairs) {
      if (!kinds.includes(testCase.obligation.subject.kind)) continue
      const { spec } = testCase
      expect(controlOf(testCase, model)).toEqual(writtenPlainly(spec, model))
      expect(writtenPlainly(spec, model)).toMatchObject({
        ...{ encoding: { kind: 'json' }, chunked: false, queryEscapes: false, credentials: null },
        ...{ extra: [], malformedHttp: null, body: spec.body, parameters: spec.parameters },
        contentType: model.body?.media.type ?? null,
      })
    }
  })
})

describe('plain letters', () => {
  test('are as many as the text that a case is about, other letters in each case, and for no case about its length', () => {
    let compared = 0
    for (const { testCase } of pairs) {
      const { subject } = testCase.obligation
      const spec = asLongControl(testCase)
      if (subject.kind !== 'value' || subject.location.place.includes('*')) {
        expect(spec).toBeNull()
        continue
      }
      const text = valueIn(testCase.spec, subject.location)
      const isAsked =
        typeof text === 'string' && text !== '' && !isAboutLength(subject) && subject.name !== 'ascii'
      expect([testCase.obligation.id, spec !== null]).toEqual([testCase.obligation.id, isAsked])
      if (spec === null || typeof text !== 'string') continue
      const plain = valueIn(spec, subject.location) as string
      expect(plain).toMatch(/^[a-z]+$/)
      expect(plain).toHaveLength([...text].length)
      const later = asLongControl({ ...testCase, number: testCase.number + 1 })
      expect(valueIn(later as TestCase['spec'], subject.location)).not.toBe(plain)
      compared += 1
    }
    expect(compared).toBeGreaterThan(100)
  })
})

test('plain values of a place are different, and valid there', () => {
  for (const { model, testCase } of pairs) {
    const { subject } = testCase.obligation
    if (subject.kind !== 'value' || subject.location.place.includes('*')) continue
    const values = plainValuesOf(subject.location, model)
    expect(new Set(values.map(value => writeJson(value))).size).toBe(values.length)
    expect(values.length).toBeGreaterThan(0)
    if (isOfBody(subject.location))
      expect(placeOf(model.body?.root as never, subject.location.place)).not.toBeNull()
  }
})

test('an alternative is tried with a plain value of it, at its place', () => {
  for (const { model, testCase } of pairs) {
    const { subject } = testCase.obligation
    const spec = branchControl(testCase, model)
    const isOne =
      subject.kind === 'branch' &&
      (subject.keyword === 'oneOf' || subject.keyword === 'anyOf') &&
      isOfBody(subject.location) &&
      !subject.location.place.includes('*')
    expect([testCase.obligation.id, spec !== null]).toEqual([testCase.obligation.id, isOne])
    if (spec === null || !('location' in subject)) continue
    expect(spec.body).toEqual(
      setAt(testCase.spec.body as Json, subject.location.place, valueIn(spec, subject.location)),
    )
  }
})
