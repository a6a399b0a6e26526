import {
  type Json,
  type JsonObject,
  mayActOn,
  nounOfPath,
  type Operation,
  plainName,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { createOwnUser, type OwnUser, refusalOfForeignNames, severalNamedBy } from './foreign-names.ts'
import { nameText } from './is-named.ts'
import { likenessTo, type Place } from './likeness.ts'
import { createLinkedNames } from './linked-names.ts'
import { createNameHistory, type NameHistory } from './name-history.ts'
import { isScalar, mayName, namesAsKeys, objectsIn, parametersBelow, readLimits, scalarsIn } from './shown.ts'

/** A value that the server has shown or accepted. */
export type KnownValue = {
  readonly value: Json
  /** Where it was: `listFlows, /0/id`, for the reports. */
  readonly source: string
  /** Whether it may name something that exists: then another value is rejected for that. */
  readonly isName: boolean
  /** Whether it was found by trying: the server has not shown it. */
  readonly isTried?: boolean
  /** Whether a request gets it also if it has nothing at this place. */
  readonly isAdded?: boolean
  /** Whether it is a form, in which each text takes the place of `{}`. */
  readonly isForm?: boolean
}

/** The place of a whole body that is left out. */
export const noBody = 'no body'

/**
 * Values by the place in a request that they are for: `query region`, or in a body the pointer `/flow_id`, with a star for the index of
 * an item.
 */
export type ValuesByPlace = ReadonlyMap<string, KnownValue>

/**
 * What the server has shown in successful responses, and what it accepted in requests. What is learned is given out only after `settle`,
 * so that it does not depend on which of the requests in flight is answered first.
 */
export type Pool = {
  /** What the run gave in a request that may have been carried out: what has it afterwards has it from the run. */
  readonly noteSent: NameHistory['noteSent']
  readonly learn: (operation: Operation, spec: RequestSpec, body: Uint8Array) => void
  readonly settle: () => void
  /** Learns nothing from now on: nobody will ask any more. */
  readonly close: () => void
  /** The likeliest first, each value once. */
  readonly valuesFor: (place: Place) => readonly KnownValue[]
  /** Whole objects that were shown, each once. */
  readonly objects: () => readonly ShownObject[]
  /** By operation, why requests that name what the run did not create were not sent. */
  readonly heldBack: () => ReadonlyMap<string, string>
  /** As `valuesFor`, but only names of what the run has created itself. */
  readonly ownValuesFor: (place: Place) => readonly KnownValue[]
  readonly wasThereBefore: NameHistory['wasThereBefore']
  readonly isChosen: NameHistory['isChosen']
  readonly refusal: OwnUser['refusal']
  /** How many values are known. */
  readonly size: () => number
  /** From now on requests of an operation have these values, wherever they are about something else; `isUsual`: also if it is given others later. */
  readonly give: (operation: string, values: ValuesByPlace, isUsual?: boolean) => void
  readonly givenTo: (operation: string) => ValuesByPlace
  /** Whether requests of some operation name by this a resource with this noun: it should not be removed as long as they are sent. */
  readonly isNeeded: (name: Json, noun: string) => boolean
  /** The case of this number is sent as it is, also when it is sent again. */
  readonly exempt: (operation: string, number: number) => void
  readonly isExempt: (operation: string, number: number) => boolean
}

/** An object in a response, with where it was. */
export type ShownObject = { readonly value: JsonObject; readonly source: string; readonly order: number }

type Entry = KnownValue & {
  readonly name: string
  readonly holder: string
  readonly order: number
}

const limits = {
  /** Responses of an operation that are read. */
  responses: 12,
  bytes: 1_000_000,
  /** Values that are kept of one name and holder. */
  values: 6,
  candidates: 6,
  /** Objects that are kept, and how long one may be. */
  objects: 200,
  objectLetters: 4000,
} as const

/** What the run has created itself. */
type Own = {
  readonly isNameOfOwn: (name: Json, least?: number) => boolean
  readonly ownNamesFor: (parameter: string, noun: string | null) => readonly Json[]
}

const noneOwn: Own = { isNameOfOwn: () => false, ownNamesFor: () => [] }

/** `isIncluded`: whether somebody wants an operation to be sent, whatever it may change. */
export const createPool = (
  operations: readonly Operation[],
  own: Own = noneOwn,
  isIncluded: (operation: Operation) => boolean = () => false,
): Pool => {
  const isOfSeveral = severalNamedBy(operations)
  const nextParameters = parametersBelow(operations)
  const linkedNames = createLinkedNames(operations)
  const orders = new Map(operations.map(({ id }, index) => [id, index] as const))
  const given = new Map<string, ValuesByPlace>()
  const usual = new Map<string, ValuesByPlace>()
  const exempt = new Set<string>()
  /** Ids of operations that may finish or change what they name; asked for before each request. */
  const guarded = new Set(operations.filter(each => mayActOn(each) && !isIncluded(each)).map(({ id }) => id))
  const heldBack = new Map<string, string>()
  const read = new Map<string, number>()
  const known = new Map<string, Entry[]>()
  const objects = new Map<string, ShownObject>()
  const names = createNameHistory()
  const ownUser = createOwnUser(name => names.wasThereBefore(name, null, '') && !own.isNameOfOwn(name))
  let pending: Entry[] = []
  let pendingObjects: ShownObject[] = []
  let size = 0
  let isOpen = true

  const add = (entry: Entry): void => {
    const key = `${entry.holder} ${entry.name}`
    const ofKey = known.get(key) ?? []
    known.set(key, ofKey)
    if (ofKey.length >= limits.values || ofKey.some(({ value }) => isSame(value, entry.value))) return
    ofKey.push(entry)
    size += 1
  }

  const valuesFor = (place: Place): readonly KnownValue[] => {
    const likeness = likenessTo(place)
    const scored = [...known.values()].flatMap(entries =>
      entries.map(entry => ({ entry, score: likeness(entry) })),
    )
    const found: KnownValue[] = []
    for (const { entry } of scored
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score || left.entry.order - right.entry.order)) {
      if (found.length >= limits.candidates) break
      if (!found.some(({ value }) => isSame(value, entry.value))) found.push(entry)
    }
    return found
  }

  return {
    noteSent: names.noteSent,
    learn: (operation, spec, body) => {
      const count = read.get(operation.id) ?? 0
      // What was removed is gone.
      if (!isOpen || operation.method === 'DELETE') return
      if (count >= limits.responses || body.length > limits.bytes) return
      read.set(operation.id, count + 1)
      const order = orders.get(operation.id) ?? 0
      const [{ path }, of] = [operation, nounOfPath(operation.path)]
      const base = { order, isName: true }
      for (const [name, value] of Object.entries(spec.parameters))
        if (isScalar(value))
          pending.push({
            ...base,
            value,
            name: plainName(name),
            holder: nounOfPath(path.split(`{${name}}`)[0] ?? path),
            source: `${operation.id} accepted it as ${name}`,
          })
      const reading = readJson(body)
      if (!reading.ok) return
      ownUser.learn(operation, reading.value)
      let left: number = readLimits.scalars
      for (const { value, name, holder, place } of scalarsIn(reading.value, of)) {
        if (left-- === 0) break
        for (const each of [{ value, name, holder }, ...linkedNames(value)])
          pending.push({ ...base, ...each, source: `${operation.id}, ${place}` })
      }
      const next = nextParameters.get(path)
      if (next !== undefined)
        for (const value of namesAsKeys(reading.value))
          pending.push({
            ...base,
            value,
            name: next,
            holder: of,
            source: `${operation.id}, a property of the body`,
          })
      // Of a long list each item was there, though a few are enough to choose from.
      for (const { value, holder } of scalarsIn(reading.value, of, readLimits.scalars))
        names.noteShown(value, holder, operation.id)
      for (const { value, place } of objectsIn(reading.value))
        pendingObjects.push({ order, value, source: `${operation.id}, ${place}` })
    },
    settle: () => {
      pending.sort((left, right) => left.order - right.order).forEach(add)
      for (const shown of pendingObjects.sort((left, right) => left.order - right.order)) {
        const text = writeJson(shown.value)
        if (objects.size < limits.objects && text.length <= limits.objectLetters && !objects.has(text))
          objects.set(text, shown)
      }
      pending = []
      pendingObjects = []
    },
    close: () => {
      isOpen = false
      pending = []
      pendingObjects = []
    },
    objects: () => [...objects.values()],
    valuesFor,
    wasThereBefore: names.wasThereBefore,
    isChosen: names.isChosen,
    refusal: (model, spec, token) => {
      const known = { ...names, isNameOfOwn: own.isNameOfOwn }
      const reason = guarded.has(model.operation.id) ? refusalOfForeignNames(model, spec, known) : null
      if (reason !== null) heldBack.set(model.operation.id, reason)
      return ownUser.refusal(model, spec, token) ?? reason
    },
    heldBack: () => heldBack,
    ownValuesFor: place => [
      ...own
        .ownNamesFor(place.name, isOfSeveral(place.name) ? place.holder : null)
        .map(value => ({ value, source: `the run created it for ${place.name}`, isName: true })),
      ...valuesFor(place).filter(({ value }) => own.isNameOfOwn(value)),
    ],
    size: () => size,
    give: (operation, values, isUsual = false) => void (isUsual ? usual : given).set(operation, values),
    exempt: (operation, number) => void exempt.add(`${operation} ${number}`),
    isExempt: (operation, number) => exempt.has(`${operation} ${number}`),
    givenTo: operation => new Map([...(usual.get(operation) ?? []), ...(given.get(operation) ?? [])]),
    isNeeded: (name, noun) =>
      [...given.values()].some(values =>
        [...values].some(
          ([place, { isName, value }]) =>
            isName && nameText(value) === nameText(name) && mayName(place, nameText(name), noun),
        ),
      ),
  }
}

export const nothing: ValuesByPlace = new Map()

const isSame = (left: Json, right: Json): boolean => writeJson(left) === writeJson(right)
