import { isObject, type Json, propertyFor, type Resource } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { withName } from '../things/bound-spec.ts'

/**
 * A request that creates a thing, with a name of its own if its body names the thing and need not: a server would take two things of
 * one name for one. Identities, which have to be in the body, are fresh anyway.
 */
export const withOwnName = (
  testCase: TestCase,
  model: OperationModel,
  { create, names }: Resource,
  unusedName: () => Json,
): TestCase => {
  const { spec } = testCase
  const key = propertyFor(spec.body ?? null, names.slice(0, 2))
  if (create === null || model.identity !== null || key === null || !isObject(spec.body)) return testCase
  const named = { ...spec, body: withName(model, spec.body, key, unusedName()) }
  return { ...testCase, spec: named, request: renderRequest(model.operation, named) }
}
