import {
  type ListedResource,
  type Operation,
  plainName,
  type ResourceGraph,
  type SchemaPlace,
  shapeOf,
} from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'

/** The contract, and the compiled operations of it. */
type Known = {
  readonly graph: ResourceGraph
  readonly operations: readonly Operation[]
  readonly makerOf: (operation: string) => { readonly model: OperationModel } | undefined
}

/**
 * Whether other operations need a resource whose name the document lists: they are below it, or speak of it in a parameter or a property of their
 * body. Those of resources of the same noun speak of these.
 */
export const isNeededElsewhere = (
  { resource }: ListedResource,
  { graph, operations, makerOf }: Known,
): boolean => {
  const alike = graph.listed.filter(each => each.resource.noun === resource.noun)
  const own = new Set(
    alike.flatMap(({ resource: { create, list, read, replace, change, remove } }) =>
      [create, list, read, replace, change, remove].flatMap(operation => operation?.id ?? []),
    ),
  )
  const noun = plainName(resource.noun)
  return operations.some(({ id, path }) => {
    if (own.has(id)) return false
    if (shapeOf(path).startsWith(`${resource.shape}/`)) return true
    const model = makerOf(id)?.model
    return model !== undefined && [...wordsIn(model)].some(word => word.startsWith(noun))
  })
}

/** The names of the parameters of an operation, and of the properties of its body. */
export const wordsIn = ({ parameters, body }: OperationModel): ReadonlySet<string> => {
  const propertiesOf = ({ properties, children }: SchemaPlace): readonly string[] => [
    ...properties,
    ...children.flatMap(propertiesOf),
  ]
  const names = [
    ...parameters.map(({ parameter: { name } }) => name),
    ...(body === null || body.root === null ? [] : propertiesOf(body.root)),
  ]
  return new Set(names.map(plainName))
}
