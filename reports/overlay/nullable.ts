import { asNode, type Contract, type Pointer, step, valueAt } from '../../spec/index.ts'
import type { Suggestion } from './suggestion.ts'

/** That a value may also be null, as the version of the document says it. */
export const nullable = (
  contract: Contract,
  schema: Pointer,
  evidence: string,
  findings: readonly string[],
): readonly Suggestion[] => {
  const node = asNode(valueAt(contract.document, schema))
  const of = { evidence, findings }
  const listed = Array.isArray(node.enum) && !node.enum.includes(null)
  const inList: readonly Suggestion[] = listed ? [{ pointer: step(schema, 'enum'), update: null, ...of }] : []
  if (contract.convertedFrom !== null)
    return [{ pointer: schema, update: { 'x-nullable': true }, ...of }, ...inList]
  if (contract.openapi.startsWith('3.0'))
    return [{ pointer: schema, update: { nullable: true }, ...of }, ...inList]
  return Array.isArray(node.type)
    ? [{ pointer: step(schema, 'type'), update: 'null', ...of }, ...inList]
    : [{ pointer: schema, update: { type: [node.type, 'null'] }, ...of }, ...inList]
}
