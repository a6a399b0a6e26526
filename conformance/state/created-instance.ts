import {
  createsByName,
  creatorOf,
  isGuessedName,
  isObject,
  nameOfCreated,
  namingProperty,
  type Outcome,
  type Resource,
  readJson,
  unwrapped,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import type { Instance } from '../pool/instance.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { Maker, Missing } from './creator.ts'
import { type LearnedNames, valuesInPath } from './learned-names.ts'

/** The resource that a request created. */
export type InstanceOf = (resource: Resource, sent: Sent) => Instance | Missing

export const createInstanceOf =
  (makerOf: (operation: string) => Maker, learned: LearnedNames): InstanceOf =>
  (resource, { testCase, outcome, missing }) => {
    const creator = creatorOf(resource)
    if (creator === null) return { missing: noCreator(resource) }
    if (missing !== undefined) return { missing }
    // What a user has named is not ours to change and remove.
    if (createsByName(resource, creator) && testCase.chain?.exists === true)
      return { missing: `${creator.id} is only sent for what exists already` }
    const { operation } = makerOf(creator.id).model
    if (outcome.kind === 'failure' || !hasDone(operation, outcome))
      return {
        missing: `${creator.id}, which would create it, answered ${summary(outcome)} to a valid request`,
      }
    const { response } = outcome
    const { request, spec, chain } = testCase
    const sent = spec.body
    const outer = valuesInPath(makerOf(creator.id).model, testCase)
    const isNamed = createsByName(resource, creator)
    const created = { operation, request, response, sent }
    const said = learned.said(creator)
    const known = isNamed ? undefined : learned.nameOf(resource, creator, { testCase, outcome, lost: null })
    const usual = isNamed ? outer.at(-1) : said === undefined ? nameOfCreated(resource, created) : undefined
    const name = known?.value ?? usual
    if (name === undefined)
      return {
        missing: `${creator.id} answered ${response.status} with ${said === undefined ? `none of ${resource.names.slice(0, 3).join(', ')} and no Location` : `nothing at ${said}`}, so what it created cannot be asked for: declare a link, or say where its name is with --created ${creator.id}=/POINTER`,
      }
    const reading = readJson(response.body)
    const answered = reading.ok ? reading.value : undefined
    const stored = sent === undefined ? {} : { sent }
    const step: ChainStep = { operation: operation.id, request, outcome, role: 'create', name, ...stored }
    const steps = [...(chain?.steps ?? []).map(asParent), step]
    const shown = [answered, sent].map(value =>
      value === undefined ? undefined : unwrapped(value, resource.names),
    )
    const [property = null] = [
      known?.property ?? null,
      ...shown.map(value => namingProperty(value ?? null, resource.names)),
    ].filter(key => key !== null)
    return {
      resource,
      values: isNamed ? outer : [...outer, name],
      property,
      isGuessed:
        creator === resource.likelyCreate ||
        (!isNamed && said === undefined && (known !== undefined || isGuessedName(resource, created))),
      steps,
      sent,
      answered: answered !== undefined && isObject(answered) ? (shown[0] ?? answered) : undefined,
      isOwn: true,
    }
  }

/** Whether something was created, by another name than that in the path. */
export const isUnnamed = (resource: Resource, outcome: Outcome): boolean => {
  const creator = creatorOf(resource)
  return creator !== null && !createsByName(resource, creator) && hasDone(creator, outcome)
}

const asParent = (step: ChainStep): ChainStep => ({ ...step, role: 'parent' })

/** That nothing makes such a resource, as a main clause. */
export const noCreator = ({ path }: Resource): string => `no operation creates what ${path} asks for`
