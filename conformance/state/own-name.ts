import { isObject, type Json, propertyFor, type Resource } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { withName } from '../pool/bound-spec.ts'

/**
 * A request that creates a resource, with a name of its own if its body names the resource and need not: a server would take two resources of
 * one name for one. Identities, which have to be in the body, are fresh anyway. Null: there is
 * no unused name for it.
 */
export const withOwnName = (
  testCase: TestCase,
  model: OperationModel,
  { create, names }: Resource,
  unusedName: () => Json | undefined,
): TestCase | null => {
  const { spec } = testCase
  const key = propertyFor(spec.body ?? null, names.slice(0, 2))
  if (create === null || model.identity !== null || key === null || !isObject(spec.body)) return testCase
  const name = unusedName()
  if (name === undefined) return null
  const body = withName(model, spec.body, key, name)
  if (!model.isValidBody(body)) return testCase
  const named = { ...spec, body }
  return { ...testCase, spec: named, request: renderRequest(model.operation, named) }
}
