import { endsInName, resourcesOf } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Scope } from '../options/scope.ts'

/** The values, as JSON, that cases about the parameters of paths send. */
export const namesOfPaths = ({ obligations }: Scope): ReadonlySet<string> =>
  new Set(
    obligations.flatMap(({ subject }) =>
      subject.kind === 'value' && subject.location.in === 'path' ? subject.texts : [],
    ),
  )

/** Whether the identity in the body is that of the resource in the path: then each request has the name of an existing one. */
export const hasNameOfPath = ({ contract, operation, identity }: OperationModel): boolean => {
  const [last] = resourcesOf(contract).namesIn(operation).slice(-1)
  return (
    last !== undefined &&
    identity !== null &&
    endsInName(operation.path) &&
    last.resource.names.slice(0, 2).includes(identity.name)
  )
}
