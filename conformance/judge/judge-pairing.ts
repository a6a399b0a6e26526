import {
  isObject,
  type Json,
  type Operation,
  type ResponseViolation,
  readJson,
  resourcesOf,
  violationOf,
} from '../../spec/index.ts'
import type { Chain, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { numberOfLabel } from '../cases/with-optional.ts'

/**
 * What exists has the values that it was created with, or changed to: also the only one of its kind, as at `PUT /me`. What was not there has those
 * of this request.
 */
const mayHaveOthers = ({ method }: Operation, chain: Chain | undefined): boolean =>
  chain === undefined
    ? method !== 'POST'
    : chain.exists || chain.steps.length > 0 || !['POST', 'PUT'].includes(method)

/**
 * A response with the label of another case belongs to that case: the server mixed up its responses. What no request of the operation has may
 * be a setting that another operation stored.
 */
export const judgePairing = (
  { contract, operation, body: declared }: OperationModel,
  { expectation, number, spec, chain }: TestCase,
  body: Uint8Array,
): readonly ResponseViolation[] => {
  const sent = spec.body
  if (expectation !== 'accept' || !isObject(sent) || mayHaveOthers(operation, chain)) return []
  const reading = readJson(body)
  if (!reading.ok || !isObject(reading.value)) return []
  // What there is one of may show what it was told before.
  const isOfOne = (): boolean =>
    resourcesOf(contract).createdBy(operation) === null &&
    contract.operations.some(({ path, method }) => path === operation.path && method !== 'POST')
  const isOfRequest = (name: string): boolean =>
    Object.hasOwn(sent, name) || (declared?.root.properties.includes(name) === true && !isOfOne())
  const foreign = Object.entries(reading.value).find(([name, value]) => {
    const owner = typeof value === 'string' ? numberOfLabel(value) : null
    return (
      owner !== null && owner !== number && !Object.values(sent).includes(value as Json) && isOfRequest(name)
    )
  })
  if (foreign === undefined) return []
  const [name, value] = foreign
  return [
    violationOf(
      { operation: operation.id, subject: { kind: 'stability', name: 'pairing' } },
      {
        expected: `\`${name}\` of this request: ${JSON.stringify(sent[name]) ?? 'it sent none'}`,
        actual: `${JSON.stringify(value)}, which another request sent`,
        title: `answered with the \`${name}\` of another request`,
      },
    ),
  ]
}
