import type { Resource } from '../../spec/index.ts'
import { isAbsence } from '../judge/expected-status.ts'
import type { Thing } from '../things/thing.ts'
import { type Maker, type Missing, sendNamed } from './maker.ts'

/** That a property which usually names things names none of these, as a main clause. */
export const noNameReason = ({ read }: Resource, property: string | null): string =>
  `${read?.id} finds nothing by the \`${property}\` of what was created, and nothing says that this is its name: declare a link, or call the parameter like the property`

export type Trust = {
  /** The thing, unless its name is none: then why. */
  readonly trusted: (thing: Thing | Missing) => Promise<Thing | Missing>
  /**
   * Whether its name was guessed from a property such as `id`, and nothing is found by such a name, neither this thing nor one that a list
   * gives: then that is no name. The first thing of a kind decides.
   */
  readonly isNoName: (thing: Thing) => Promise<boolean>
}

export const createTrust = (
  makerOf: (operation: string) => Maker,
  inList: (resource: Resource) => Promise<Thing | null>,
): Trust => {
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

  const isNoName = async (thing: Thing): Promise<boolean> => {
    if (!thing.isGuessed) return false
    const key = `${thing.resource.shape} ${thing.property}`
    const known = proven.get(key) ?? isName(thing)
    proven.set(key, known)
    return !(await known)
  }

  return {
    isNoName,
    trusted: async thing =>
      'missing' in thing || !(await isNoName(thing))
        ? thing
        : { missing: noNameReason(thing.resource, thing.property) },
  }
}
