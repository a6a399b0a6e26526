import { creatorOf, isUnneeded, type Operation, resourcesOf } from '../../spec/index.ts'
import { type RunSession, testedOperations } from '../session/session.ts'

/** How many names of what exists are in the path of an operation. */
export const namesIn = ({ options, operations }: RunSession, id: string): number => {
  const model = operations.get(id)?.model
  return model === undefined ? 0 : resourcesOf(options.contract).namesIn(model.operation).length
}

/**
 * The operations that are tried at the same time. Those that create things come before those that ask for them, and these before those that
 * may remove what others need. Things that no other operation speaks of come late: if one of them breaks the service, less is lost.
 */
export const wavesOf = (session: RunSession): readonly (readonly { readonly id: string }[])[] => {
  const { contract } = session.options
  const waveOf = (operation: Operation): number =>
    session.scope.destructive.has(operation.id)
      ? last
      : namesIn(session, operation.id) + (isUnneeded(contract, operation) ? late : 0)
  const sorted = operationsToTry(session).toSorted((left, right) => waveOf(left) - waveOf(right))
  return [...Map.groupBy(sorted, waveOf).values()]
}

/** After those that are needed, and after all others, however many names these have. */
const [late, last] = [500, 1_000]

/** The operations to try: those that are tested, and those that create what they ask for, if a valid request can be made for them. */
const operationsToTry = (session: RunSession): readonly Operation[] => {
  const tested = testedOperations(session).map(({ model }) => model.operation)
  const { namesIn: names } = resourcesOf(session.options.contract)
  const creators = tested
    .flatMap(names)
    .flatMap(({ resource }) => creatorOf(resource) ?? [])
    .filter(operation => !tested.includes(operation))
  return [...tested, ...new Set(creators)].filter(({ id }) => session.operations.get(id)?.valid !== undefined)
}
