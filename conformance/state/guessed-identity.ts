import { type Resource, resourcesOf } from '../../spec/index.ts'
import { renderRequest } from '../cases/render.ts'
import { isAbsence } from '../judge/expected-status.ts'
import { specWith } from '../things/bound-spec.ts'
import type { Thing } from '../things/thing.ts'
import type { Maker, Missing } from './maker.ts'

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
    const reader = read === null ? null : makerOf(read.id)
    if (read === null || reader?.valid === undefined) return true
    const { model, sender, valid } = reader
    const plain = sender.validCase(valid, 'plain')
    const names = resourcesOf(model.contract).namesIn(read)
    const spec = specWith(model, plain.spec, names, values, null, null)
    const { outcome, missing } = await sender.sendAsIs({ ...plain, spec, request: renderRequest(read, spec) })
    return missing !== undefined || outcome.kind === 'failure' || !isAbsence(outcome.response.status)
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
