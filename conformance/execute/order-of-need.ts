import { creatorOf, resourcesOf } from '../../spec/index.ts'
import { type RunSession, testedOperations } from './session.ts'

/** How many names of what exists are in the path of an operation. */
export const namesIn = ({ options, operations }: RunSession, id: string): number => {
  const model = operations.get(id)?.model
  return model === undefined ? 0 : resourcesOf(options.contract).namesIn(model.operation).length
}

/**
 * The operations that are tried at the same time. The very first one is tried alone: if nobody responds, it is the only one that waits
 * for that. Those that create things come before those that ask for them, and these before those that may remove what others need.
 */
export const wavesOf = (session: RunSession): readonly (readonly { readonly id: string }[])[] => {
  const isLast = ({ id }: { readonly id: string }): boolean => session.scope.destructive.has(id)
  const all = inOrderOfNeed(session)
  const [first, ...others] = [...all.filter(each => !isLast(each)), ...all.filter(isLast)]
  return first === undefined
    ? []
    : [
        [first],
        ...Map.groupBy(others, each =>
          isLast(each) ? Number.POSITIVE_INFINITY : namesIn(session, each.id),
        ).values(),
      ]
}

/** The operations to try: those that are tested, and those that create what they ask for; the ones that name least first. */
const inOrderOfNeed = (session: RunSession): readonly { readonly id: string }[] => {
  const tested = testedOperations(session).map(({ model }) => model.operation)
  const { namesIn: names } = resourcesOf(session.options.contract)
  const creators = tested
    .flatMap(names)
    .flatMap(({ resource }) => creatorOf(resource) ?? [])
    .filter(operation => !tested.includes(operation))
  return [...tested, ...new Set(creators)].toSorted((left, right) => names(left).length - names(right).length)
}
