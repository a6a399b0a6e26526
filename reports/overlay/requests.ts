import {
  type Contract,
  isOfBody,
  locationText,
  operationContext,
  type Pointer,
  parentOf,
  placeOf,
  type SchemaPlace,
  step,
  steps,
  type ValueLocation,
  valueAt,
} from '../../spec/index.ts'
import { nullable } from './responses.ts'
import { type Found, isServerError, type Suggestion, sentIn } from './suggestion.ts'

/** What a server requires or accepts, and the document does not say. */
export const requestSuggestions = (contract: Contract, found: readonly Found[]): readonly Suggestion[] =>
  found.flatMap(({ finding, obligation: { subject, operation, clause } }): readonly Suggestion[] => {
    const { outcome } = finding
    if (isServerError(finding) || outcome.kind === 'failure') return []
    const isNullTaken =
      subject.kind === 'keyword' &&
      subject.keyword === 'type' &&
      subject.detail === 'null' &&
      outcome.status < 400
    if (isNullTaken) {
      const evidence = `${sentIn(finding)} was answered ${outcome.status} with null as ${locationText(subject.location)}.`
      return nullable(contract, parentOf(clause.pointer), evidence, [finding.id])
    }
    if (subject.kind !== 'valid' || finding.requires === undefined) return []
    return finding.requires.flatMap(location =>
      requiredSuggestions(
        contract,
        operation,
        location,
        `${sentIn(finding)} was answered ${outcome.status} without ${locationText(location)}, and accepted with it.`,
        [finding.id],
      ),
    )
  })

const requiredSuggestions = (
  contract: Contract,
  id: string,
  location: ValueLocation,
  evidence: string,
  findings: readonly string[],
): readonly Suggestion[] => {
  const operation = contract.operations.find(each => each.id === id)
  if (operation === undefined) return []
  if (!isOfBody(location)) {
    const parameter = operation.parameters.find(
      each => each.name === location.name && each.in === location.in,
    )
    return parameter === undefined || location.place !== ''
      ? []
      : [{ pointer: parameter.pointer, update: { required: true }, evidence, findings }]
  }
  const root = operationContext(contract, operation).body?.root
  const within = root === undefined ? null : placeOf(root, parentOf(location.place))
  const name = steps(location.place).at(-1)
  const schema = within === null || name === undefined ? null : schemaWith(contract, within, name)
  if (schema === null || name === undefined) return []
  const isListed = Array.isArray(valueAt(contract.document, step(schema, 'required')))
  return [
    isListed
      ? { pointer: step(schema, 'required'), update: name, evidence, findings }
      : { pointer: schema, update: { required: [name] }, evidence, findings },
  ]
}

/** The schema that declares a property; null if none does. */
const schemaWith = (contract: Contract, { schemas }: SchemaPlace, name: string): Pointer | null =>
  schemas.find(schema => valueAt(contract.document, step(step(schema, 'properties'), name)) !== undefined) ??
  null
