import type { Resource } from '../../spec/index.ts'
import { isAbsence } from '../judge/expected-status.ts'
import type { Instance } from '../pool/instance.ts'
import { type Maker, type Missing, sendNamed } from './creator.ts'

/** That a property which usually names resources names none of these, as a main clause. */
export const noNameReason = ({ read }: Resource, property: string | null): string =>
  `${read?.id} finds nothing by the \`${property}\` of what was created, and nothing says that this is its name: declare a link, or call the parameter like the property`

export type Trust = {
  /** The resource, unless its name is none: then why. */
  readonly trusted: (instance: Instance | Missing) => Promise<Instance | Missing>
  /**
   * Whether its name was guessed from a property such as `id`, and nothing is found by such a name, neither this resource nor one that a list
   * gives: then that is no name. The first resource of a kind decides.
   */
  readonly isNoName: (instance: Instance) => Promise<boolean>
}

export const createTrust = (
  makerOf: (operation: string) => Maker,
  inList: (resource: Resource) => Promise<Instance | null>,
): Trust => {
  const proven = new Map<string, Promise<boolean>>()

  const isFound = async ({ resource: { read }, values }: Instance): Promise<boolean> => {
    const sent = read === null ? null : await sendNamed(makerOf(read.id), values)
    if (sent === null || sent.missing !== undefined || sent.outcome.kind === 'failure') return true
    return !isAbsence(sent.outcome.response.status)
  }

  const isName = async (instance: Instance): Promise<boolean> => {
    if (await isFound(instance)) return true
    const other = await inList(instance.resource)
    return other !== null && other.property === instance.property && (await isFound(other))
  }

  const isNoName = async (instance: Instance): Promise<boolean> => {
    if (!instance.isGuessed) return false
    const key = `${instance.resource.shape} ${instance.property}`
    const known = proven.get(key) ?? isName(instance)
    proven.set(key, known)
    return !(await known)
  }

  return {
    isNoName,
    trusted: async instance =>
      'missing' in instance || !(await isNoName(instance))
        ? instance
        : { missing: noNameReason(instance.resource, instance.property) },
  }
}
