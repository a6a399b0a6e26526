import { isObject, isOfBody, type Json, type ListedResource, resourcesOf, step } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { specWith, withName } from './bound-spec.ts'

/** What is known of the resources of one kind below the same names. */
export type KnownNames = {
  /** Names that nothing had when the run asked first: what has one later is the run's. */
  readonly absent: Set<string>
  /** Names that something had then. */
  readonly found: Set<string>
  readonly asked: Set<string>
  /** The last one to be sent of those that wait for each other. */
  turn: Promise<unknown>
}

export const noneKnown = (): KnownNames => ({
  ...{ absent: new Set(), found: new Set(), asked: new Set() },
  turn: Promise.resolve(),
})

/** The case below the same names as a creation, and with its own name in its body as well, unless it is about a name in its path. */
export const besideIt = (
  model: OperationModel,
  testCase: TestCase,
  { resource }: ListedResource,
  creation: RequestSpec,
): TestCase => {
  const { contract, operation } = model
  const names = resourcesOf(contract).listedNamesIn(operation)
  const around = resource.create === null ? [] : resourcesOf(contract).namesIn(resource.create)
  const values = names.map(
    ({ parameter }, index) =>
      creation.parameters[around[index]?.parameter ?? ''] ?? testCase.spec.parameters[parameter],
  )
  if (isOfPath(testCase) || values.includes(undefined)) return testCase
  const spec = specWith(model, testCase.spec, names, values as Json[], null, testCase.obligation)
  return { ...testCase, spec, request: renderRequest(operation, spec) }
}

/** The creation with this name instead, unless it is about that. */
export const renamed = (
  model: OperationModel,
  testCase: TestCase,
  { property }: ListedResource,
  name: Json,
): TestCase => {
  const { spec, obligation } = testCase
  const about = 'location' in obligation.subject ? obligation.subject.location : null
  const isAbout =
    property === null || (about !== null && isOfBody(about) && about.place === step('', property))
  if (isAbout || spec.body === undefined || !isObject(spec.body)) return testCase
  const body = withName(model, spec.body, property, name)
  const other = { ...spec, body }
  return { ...testCase, spec: other, request: renderRequest(model.operation, other) }
}

/** The name that a creation asks for. */
export const nameIn = ({ spec: { body } }: TestCase, { property }: ListedResource): Json | undefined =>
  property !== null && body !== undefined && isObject(body) ? body[property] : undefined

const isOfPath = ({ obligation: { subject } }: TestCase): boolean =>
  'location' in subject && subject.location.in === 'path'
