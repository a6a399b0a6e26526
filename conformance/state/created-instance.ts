import {
  createsByName,
  creatorCalled,
  creatorOf,
  isArray,
  isGuessedName,
  isObject,
  type Json,
  nameOfCreated,
  namingProperty,
  type Outcome,
  type Resource,
  readJson,
  unwrapped,
  writeJson,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import type { Instance } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import type { NameHistory } from '../pool/name-history.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import { type Maker, type Missing, sendNamed } from './creator.ts'
import { type LearnedNames, outerNames } from './learned-names.ts'

/** The resource that a request created. */
export type InstanceOf = (resource: Resource, sent: Sent) => Instance | Missing

export const createInstanceOf =
  (
    makerOf: (operation: string) => Maker,
    learned: LearnedNames,
    wasThereBefore: NameHistory['wasThereBefore'],
  ): InstanceOf =>
  (resource, { testCase, outcome, missing }) => {
    const creator = creatorCalled(resource, testCase.obligation.operation)
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
    const outer = outerNames(resource, makerOf(creator.id).model, { testCase, outcome })
    if (outer === null)
      return {
        missing: `${creator.id} answered ${response.status} without what ${resource.path} is below, so what it created cannot be asked for`,
      }
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
    const isGuessedCreator = creator === resource.likelyCreate || resource.alsoCreate.includes(creator)
    // Some give what has the sent values already, if there is such a thing.
    const mayBeOld = response.status !== 201 && !isNamed
    if (
      mayBeOld &&
      said === undefined &&
      wasThereBefore(name, known?.isSent === true ? null : resource.noun, creator.id)
    )
      return {
        missing: `${creator.id} gave the name of something that was there before`,
        isOld: true,
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
        isGuessedCreator ||
        (!isNamed && said === undefined && (known !== undefined || isGuessedName(resource, created))),
      steps,
      sent,
      answered: answered !== undefined && isObject(answered) ? (shown[0] ?? answered) : undefined,
      isOwn: true,
      ...(testCase.isHelp === true ? { isHelp: true } : {}),
    }
  }

export const haveSameName = (left: readonly Json[], right: readonly Json[]): boolean =>
  writeJson([...left]) === writeJson([...right])

/** What came of each of several things that a request made at once: the response as if it was about that one alone. */
export const outcomesOf = (outcome: Outcome): readonly Outcome[] => {
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  if (outcome.kind !== 'response' || reading?.ok !== true) return [outcome]
  const { value } = reading
  return isArray(value) && value.length > 1 && value.every(isObject)
    ? value.map(item => ({
        ...outcome,
        response: { ...outcome.response, body: Buffer.from(writeJson(item)) },
      }))
    : [outcome]
}

/** Whether something was created, by another name than that in the path. */
export const isUnnamed = (resource: Resource, outcome: Outcome): boolean => {
  const creator = creatorOf(resource)
  return creator !== null && !createsByName(resource, creator) && hasDone(creator, outcome)
}

/** Whether an operation that gave a resource only seems to create it: neither the document nor its answer says so, and it gives the name. */
export const isGuess = (resource: Resource, outcome: Outcome): boolean => {
  const creator = creatorOf(resource)
  const isSaid = outcome.kind === 'response' && outcome.response.status === 201
  return !isSaid && creator !== null && creator === resource.likelyCreate && !createsByName(resource, creator)
}

/** Names that are remembered of each kind of resources that an operation only seems to create. */
const mostGuesses = 1000

/** Whether what operations gave that only seem to create may have been there before: they gave one name so far, or the same again. */
export const createGuesses = () => {
  /** By kind: how many names were given, how often each that was not removed since, and how many of these more than once. */
  const guessed = new Map<string, { given: number; readonly names: Map<string, number>; repeated: number }>()
  return {
    mayBeOld: ({ shape }: Resource): boolean => {
      const guess = guessed.get(shape)
      return guess !== undefined && (guess.repeated > 0 || guess.given < 2)
    },
    /** `change`: -1 if what has the name was removed. */
    note: ({ shape }: Resource, values: readonly Json[], change: 1 | -1): void => {
      const guess = guessed.get(shape) ?? { given: 0, names: new Map<string, number>(), repeated: 0 }
      const name = values.map(nameText).join(' ')
      const before = guess.names.get(name) ?? 0
      if (before === 0 && (change === -1 || guess.names.size >= mostGuesses)) return
      guessed.set(shape, guess)
      if (change === 1) guess.given += 1
      guess.names.set(name, before + change)
      guess.repeated += Number(before + change > 1) - Number(before > 1)
    },
  }
}

const asParent = (step: ChainStep): ChainStep => ({ ...step, role: 'parent' })

/** That nothing makes such a resource, as a main clause. */
export const noCreator = ({ path }: Resource): string => `no operation creates what ${path} asks for`

/** That no request can be made for what creates something, as a main clause. */
export const noValidRequest = (creator: string): string =>
  `${creator} would create it, but no valid request can be made for it`

/** That an operation may not create anything, as a main clause. */
export const onlyOneName = (creator: string): string =>
  `${creator}, which seemed to create it, gave no second name, so it may have been there before`

/** That resources of a kind cannot be told apart, as a main clause. */
export const tooFewNames = ({ noun }: Resource): string =>
  `too few names are allowed for a ${noun} of its own`

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
    // What is rejected as no name at all names nothing either.
    return !isAbsence(sent.outcome.response.status) && ![400, 422].includes(sent.outcome.response.status)
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
