import {
  isObject,
  type Json,
  type ListedResource,
  nameOfCreated,
  type Operation,
  type ResourceGraph,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { hasDone } from '../judge/expected-status.ts'
import { withName } from '../pool/bound-spec.ts'
import { nameText } from '../pool/is-named.ts'
import { besideIt, type KnownNames, nameIn, noneKnown, renamed } from '../pool/listed-case.ts'
import { isNeededElsewhere } from '../pool/needed-elsewhere.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import { type Attempt, notSent } from '../send/lost-connections.ts'
import { mayHaveArrived } from '../send/transport/failure.ts'
import type { CreatedInstances } from './created-instances.ts'
import { type Maker, sendNamed } from './creator.ts'

/** Sends a case and does what it needs before and after it. */
export type Around = (
  model: OperationModel,
  testCase: TestCase,
  send: (testCase: TestCase) => Promise<Attempt>,
) => Promise<Attempt>

export type ListedNamesOptions = {
  readonly graph: ResourceGraph
  readonly operations: readonly Operation[]
  readonly created: CreatedInstances
  readonly makerOf: (operation: string) => Maker
  readonly stateless: boolean
  /** Whether what the run creates stays. */
  readonly keep: boolean
  readonly mayChangeFound: (operation: Operation) => boolean
}

/** Names of one kind that are asked for before the first creation; of longer lists only the one that is created. */
const mostAsked = 12

/** After so many removals in a row that failed, the rest is left to the end of the run. */
const mostFailures = 3

/**
 * Looks after resources whose names the document lists, such as the rules of `POST /rules {"type": "A"}`. There is only one of each name,
 * which also the next case needs, and what exists may change what others are answered: so what a case creates is removed right after it,
 * unless others need it. A creation that is known to be accepted goes before requests that read, change or remove one. What the run did not
 * create is neither changed nor removed.
 */
export const createListedNames = (options: ListedNamesOptions): Around => {
  const { graph, created, makerOf, keep } = options
  if (graph.listed.length === 0 || options.stateless) return (_model, testCase, send) => send(testCase)
  const knownByPath = new Map<string, KnownNames>()
  /** Accepted creations of each kind, by name: bodies for further ones. */
  const accepted = new Map<string, Map<string, RequestSpec>>()
  const failures = new Map<string, number>()
  const needed = new Map<string, boolean>()

  const isNeeded = (listed: ListedResource): boolean => {
    const { shape } = listed.resource
    const known = needed.get(shape) ?? isNeededElsewhere(listed, options)
    needed.set(shape, known)
    return known
  }
  const instanceOf = ({ resource, property }: ListedResource, values: readonly Json[]) => ({
    ...{ resource, values, property, isGuessed: false, steps: [] },
    ...{ sent: undefined, answered: undefined, isOwn: true },
  })
  const knownOf = ({ resource }: ListedResource, outer: readonly Json[]): KnownNames => {
    const key = `${resource.shape} ${outer.map(nameText).join(' ')}`
    const known = knownByPath.get(key) ?? noneKnown()
    knownByPath.set(key, known)
    return known
  }

  /** Finds out which of these names nothing has; below what the run created, nothing else has any. */
  const ask = async (listed: ListedResource, outer: readonly Json[], names: readonly Json[]) => {
    const { absent, found, asked } = knownOf(listed, outer)
    const { read, parent } = listed.resource
    const isOwn = parent !== null && created.has(parent, outer)
    for (const name of names) {
      if (asked.has(nameText(name))) continue
      asked.add(nameText(name))
      const sent = isOwn || read === null ? null : await sendNamed(makerOf(read.id), [...outer, name])
      const outcome = sent?.missing === undefined ? sent?.outcome : undefined
      if (isOwn || (outcome?.kind === 'response' && isAbsence(outcome.response.status)))
        absent.add(nameText(name))
      else if (read !== null && outcome !== undefined && hasDone(read, outcome)) found.add(nameText(name))
    }
  }

  const noteCreated = (listed: ListedResource, operation: Operation, values: readonly Json[]): void => {
    const { resource } = listed
    if (knownOf(listed, values.slice(0, -1)).absent.has(nameText(values.at(-1) as Json)))
      created.add(instanceOf(listed, values))
    // What was there before, a user has allowed to change.
    else if (operation.method === 'POST' && !created.has(resource, values))
      created.addDoubtful(operation.id, values)
  }

  /** Notes what a request may have created. What other requests before it, or one without a response, did shows a read alone. */
  const noteAttempt = async (
    listed: ListedResource,
    { operation }: OperationModel,
    sending: Sent,
  ): Promise<void> => {
    const { resource, values } = listed
    const { outer, attempt } = sending
    const { testCase, outcome, missing } = attempt
    if (missing !== undefined) return
    if (hasDone(operation, outcome) && outcome.kind === 'response') {
      const { request, spec } = testCase
      const name =
        operation.method === 'POST'
          ? nameOfCreated(resource, { operation, request, response: outcome.response, sent: spec.body })
          : sending.name
      if (name === undefined) created.addUnnamed(operation.id, () => null)
      else noteCreated(listed, operation, [...outer, name])
      if (name !== undefined && testCase.expectation === 'accept' && operation === resource.create) {
        const known = accepted.get(resource.shape) ?? new Map<string, RequestSpec>()
        accepted.set(resource.shape, known)
        // What is around it now may be gone later, so that the last one counts.
        known.set(nameText(name), { ...(known.get(nameText(name)) ?? spec), parameters: spec.parameters })
      }
    }
    if (resource.read === null || (testCase.precondition === 'none' && !mayHaveArrived(outcome))) return
    const { absent } = knownOf(listed, outer)
    for (const name of values.filter(value => absent.has(nameText(value))).slice(0, mostAsked)) {
      const sent = await sendNamed(makerOf(resource.read.id), [...outer, name])
      if (sent !== null && sent.missing === undefined && hasDone(resource.read, sent.outcome))
        created.add(instanceOf(listed, [...outer, name]))
    }
  }

  /** An accepted creation, if possible of this name. */
  const creationOf = ({ resource }: ListedResource, name: Json | undefined): RequestSpec | undefined => {
    const known = accepted.get(resource.shape)
    return (name === undefined ? undefined : known?.get(nameText(name))) ?? known?.values().next().value
  }

  /** Creates one of this name if nothing has it, as one was created before. */
  const make = async (listed: ListedResource, outer: readonly Json[], name: Json): Promise<void> => {
    const creator = listed.resource.create
    const spec = creationOf(listed, name)
    if (creator === null || spec === undefined || listed.property === null || !isObject(spec.body ?? null))
      return
    const { model, sender, valid } = makerOf(creator.id)
    if (valid === undefined) return
    const names = graph.namesIn(creator).map(({ parameter }, index) => [parameter, outer[index] as Json])
    const parameters = { ...spec.parameters, ...Object.fromEntries(names) }
    const body = withName(model, spec.body as { readonly [key: string]: Json }, listed.property, name)
    const own = sender.validVariant(sender.validCase(valid, 'plain'), { ...spec, parameters, body })
    if (own === null) return
    const request = renderRequest(creator, own.spec)
    const { outcome, missing } = await sender.sendAsIs({ ...own, request, isHelp: true })
    if (missing === undefined && hasDone(creator, outcome)) noteCreated(listed, creator, [...outer, name])
  }

  const removeOwn = async (listed: ListedResource, outer: readonly Json[]): Promise<void> => {
    const { resource } = listed
    if (keep || resource.remove === null || isNeeded(listed)) return
    for (const name of listed.values) {
      const values = [...outer, name]
      if (!created.has(resource, values) || (failures.get(resource.shape) ?? 0) >= mostFailures) continue
      const since = performance.now()
      const sent = await sendNamed(makerOf(resource.remove.id), values)
      const status =
        sent?.missing === undefined && sent?.outcome.kind === 'response' ? sent.outcome.response.status : 0
      const isGone = (status >= 200 && status < 300) || isAbsence(status)
      if (isGone) created.remove(resource, values, since)
      failures.set(resource.shape, isGone ? 0 : (failures.get(resource.shape) ?? 0) + 1)
    }
  }

  return async (model, planned, send) => {
    const { operation } = model
    const names = graph.listedNamesIn(operation)
    const made = graph.listedBy(operation)
    const listed = made ?? graph.listed.find(({ resource }) => resource === names.at(-1)?.resource)
    if (listed === undefined || planned.isHelp === true) return send(planned)
    const isItem = names.length > 0
    const isReading = operation.method === 'GET' || operation.method === 'HEAD'
    const last = names.at(-1)?.parameter
    const isTried = isItem && planned.expectation === 'accept' && planned.precondition === 'none'
    const nameOf = (testCase: TestCase): Json | undefined =>
      last === undefined ? nameIn(testCase, listed) : testCase.spec.parameters[last]
    // Both answers of a read are worth a look.
    const isMade = isTried && (!isReading || planned.number % 2 === 0)
    const creation = isMade ? creationOf(listed, nameOf(planned)) : undefined
    if (isReading && creation === undefined) return send(planned)
    const bound = creation === undefined ? planned : besideIt(model, planned, listed, creation)
    const around = isItem ? names.slice(0, -1) : graph.namesIn(operation)
    const outer = around.map(({ parameter }) => bound.spec.parameters[parameter] as Json)
    const known = knownOf(listed, outer)
    const run = async (): Promise<Attempt> => {
      const given = nameOf(bound)
      // What goes before a case has names of its own.
      const isAlone = planned.precondition === 'none'
      const isOne = isAlone && (isItem || listed.values.length > mostAsked)
      const asked = listed.values.filter(value => !isOne || isSame(value, given))
      // What is around a creation may be made up: then nothing is there.
      if (isItem || outer.length === 0 || bound.chain?.exists === true) await ask(listed, outer, asked)
      const free = listed.values.find(value => known.absent.has(nameText(value)))
      const isTaken = given !== undefined && known.found.has(nameText(given))
      const isMoved = !isItem && isTaken && free !== undefined && planned.expectation === 'accept'
      const testCase = isMoved ? renamed(model, bound, listed, free) : bound
      const name = nameOf(testCase)
      const isFree = name !== undefined && known.absent.has(nameText(name))
      const concerned = isAlone ? listed.values.filter(value => isSame(value, name)) : listed.values
      const isForeign = concerned.some(value =>
        isItem ? !isReading && !known.absent.has(nameText(value)) : known.found.has(nameText(value)),
      )
      if (isForeign && !options.mayChangeFound(operation))
        return { ...notSent(testCase, foreign), isClosable: false }
      if (creation !== undefined && isFree && !created.has(listed.resource, [...outer, name]))
        await make(listed, outer, name)
      const since = performance.now()
      const attempt = await send(testCase)
      if (made !== null || operation.method === 'PUT')
        await noteAttempt(listed, model, { outer, name, attempt })
      const isRemoved = isItem && operation.method === 'DELETE' && hasDone(operation, attempt.outcome)
      if (isRemoved && name !== undefined) {
        created.remove(listed.resource, [...outer, name], since)
        known.absent.add(nameText(name))
        known.found.delete(nameText(name))
      }
      await removeOwn(listed, outer)
      // That a name is taken which something else has shows nothing.
      const isConflict = attempt.outcome.kind === 'response' && attempt.outcome.response.status === 409
      return isConflict && isForeign ? { ...notSent(testCase, foreign), isClosable: false } : attempt
    }
    // What is rejected creates nothing, so it need not wait.
    if (planned.expectation === 'reject' && planned.precondition === 'none') return run()
    const next = known.turn.then(run, run)
    known.turn = next
    return next
  }
}

const isSame = (value: Json, name: Json | undefined): boolean =>
  name !== undefined && nameText(value) === nameText(name)

/** A request that was sent, with the names around what it made, and the name that it asked for. */
type Sent = { readonly outer: readonly Json[]; readonly name: Json | undefined; readonly attempt: Attempt }

const foreign = 'something that the run did not create has this name, and it would be changed or removed'
