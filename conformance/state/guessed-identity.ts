import type { Resource } from '../../spec/index.ts'
import { isAbsence } from '../judge/expected-status.ts'
import type { Thing } from '../things/thing.ts'
import { type Maker, type Missing, sendNamed } from './maker.ts'

/**
 * Gives a thing back, unless its name was guessed from a property such as `id`, and nothing is found by such a name, neither this thing nor one
 * that a list gives: then that is no name. The first thing of a kind decides.
 */
export const createTrust = (
  makerOf: (operation: string) => Maker,
  inList: (resource: Resource) => Promise<Thing | null>,
): ((thing: Thing | Missing) => Promise<Thing | Missing>) => {
  const proven = new Map<string, Promise<boolean>>()

  const isFound = async ({ resource: { read }, values }: Thing): Promise<boolean> => {
    const sent = read === null ? null : await sendNamed(makerOf(read.id), values)
    if (sent === null || sent.missing !== undefined || sent.outcome.kind === 'failure') return true
    return !isAbsence(sent.outcome.response.status)
  }

  const isName = async (thing: Thing): Promise<boolean> => {
    if (await isFound(thing)) return true
    const other = await inList(thing.resource)
    return other !== null && other.property === thing.property && (await isFound(other))
  }

  return async thing => {
    if ('missing' in thing || !thing.isGuessed) return thing
    const { resource, property } = thing
    const known = proven.get(resource.shape) ?? isName(thing)
    proven.set(resource.shape, known)
    return (await known)
      ? thing
      : {
          missing: `${resource.read?.id} finds nothing by the \`${property}\` of what was created, and nothing says that this is its name: declare a link, or call the parameter like the property`,
        }
  }
}
