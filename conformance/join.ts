import {
  type Contract,
  createBaseline,
  createWaivers,
  foldLedger,
  type IdentityRange,
  type Ledger,
  type NoteEvent,
  type RunEvent,
  type StartEvent,
  type Stop,
  unauthenticatedOf,
} from '../spec/index.ts'
import { type Cell, cellsOf } from './cell.ts'
import type { Evidence, Found } from './evidence.ts'
import { extended } from './extra-headers.ts'
import { type Confirmed, smallestFirst } from './findings.ts'
import { createModel, type Model } from './model.ts'
import { addSightings, createSeen, type Incident, inOrderOfPlan, type Seen } from './observe.ts'
import { chosenOf } from './part.ts'
import { settle } from './settle.ts'

/** Parts that cannot be put together; the message is one line and says why. */
export class PartError extends Error {
  override readonly name = 'PartError'
}

export type Joined = {
  readonly ledger: Ledger
  /** The events of the ledger, as a run tells them. */
  readonly events: readonly RunEvent[]
  /** Cells of the plan that no part sent. */
  readonly missing: readonly Cell[]
}

/**
 * Puts the parts of a run together, as if one had sent them all: findings and verdicts are those of all that was seen.
 * A cell that is missing makes the run inconclusive. Throws PartError where they are not of one plan, or where two
 * parts sent one cell.
 */
export const joinParts = (contract: Contract, parts: readonly Evidence[]): Joined => {
  const [first] = parts
  if (first === undefined) throw new PartError('no part of a run was given')
  for (const part of parts) checkPlan(first, part)
  const { baseline, shrinkBaseline } = first.gates
  const { obligations, asks } = chosenOf(contract, first.start, first.gates)
  const cells = cellsOf(obligations.filter(({ id }) => asks(id)))
  const sent = sentBy(parts)
  const missing = cells.filter(({ name }) => !sent.has(name))
  const start = startOf(parts)
  const found = foundOf(parts, cells, missing)
  const models = new Map<string, Model>()
  const modelOf = (id: string): Model => {
    const operation = contract.operations.find(own => own.id === id) as Contract['operations'][number]
    const model = models.get(id) ?? createModel(contract, operation)
    models.set(id, model)
    return model
  }
  const told = settle(found, {
    start,
    contract,
    obligations,
    modelOf,
    asks,
    waivers: createWaivers(obligations, start.waivers, start.at),
    baseline: createBaseline(obligations, baseline, shrinkBaseline),
    policy: unauthenticatedOf({ start } as Ledger),
    strict: start.policies.strict === 'true',
    secrets: [],
  })
  const exchanges = parts
    .flatMap(part => part.exchanges)
    .sort((left, right) => Number.parseInt(left.id, 16) - Number.parseInt(right.id, 16))
  const events = [start, ...exchanges, ...notesOf(parts), ...told.map(event => extended(event, found.extras))]
  return { ledger: foldLedger(events), events, missing }
}

/** Differences that are longer say no more than that they are there. */
const mostTold = 400

/** What the parts of one run have in common. */
const checkPlan = (first: Evidence, other: Evidence): void => {
  const planOf = ({ start, gates }: Evidence) => {
    const { contract, seed, budget, policies, selection, waivers, product } = start
    return {
      contract: contract.digest,
      seed,
      'number of cases': budget.cases,
      baseline: [gates.baseline, gates.shrinkBaseline],
      pins: gates.pins,
      policies,
      selection,
      waivers,
      version: product.version,
    } as const
  }
  const [own, theirs] = [planOf(first), planOf(other)]
  for (const name of Object.keys(own) as (keyof typeof own)[]) {
    const [left, right] = [JSON.stringify(own[name]), JSON.stringify(theirs[name])]
    if (left === right) continue
    const told = left.length + right.length > mostTold ? '' : `: ${left} and ${right}`
    throw new PartError(`the parts differ in their ${name}${told}`)
  }
}

const sentBy = (parts: readonly Evidence[]): ReadonlySet<string> => {
  const sent = new Set<string>()
  for (const { cell } of parts.flatMap(({ found }) => found.cells)) {
    if (sent.has(cell)) throw new PartError(`two parts sent the cell ${cell}: give each part once`)
    sent.add(cell)
  }
  return sent
}

const startOf = (parts: readonly Evidence[]): StartEvent => {
  const starts = parts.map(({ start }) => start).sort((left, right) => left.at.localeCompare(right.at))
  const [first] = starts as [StartEvent, ...StartEvent[]]
  const identities = new Map<string, IdentityRange>()
  for (const range of starts.flatMap(start => start.identities))
    identities.set(`${range.operation} ${range.place} ${range.from}`, range)
  return { ...first, identities: [...identities.values()] }
}

const notesOf = (parts: readonly Evidence[]): readonly NoteEvent[] => {
  const targets = [...new Set(parts.map(({ start }) => start.target))]
  const notes = new Map(parts.flatMap(part => part.notes).map(note => [note.message, note]))
  return [
    ...notes.values(),
    ...(targets.length < 2
      ? []
      : [
          {
            type: 'note' as const,
            level: 'info' as const,
            message: `parts of this run were sent to several servers: ${targets.join(', ')}`,
          },
        ]),
  ]
}

/** The worst way to end comes first. */
const stops: readonly Stop[] = ['fault', 'interrupt', 'unreachable', 'bail', 'time', 'done']

const foundOf = (parts: readonly Evidence[], cells: readonly Cell[], missing: readonly Cell[]): Found => {
  const all = parts.map(({ found }) => found)
  const digests = new Map(all.flatMap(found => found.cells).map(own => [own.cell, own]))
  const worst = stops.map(stop => all.find(({ stopped }) => stopped === stop)).find(found => found) as Found
  const seen = seenOf(all)
  const began = parts.map(({ start }) => Date.parse(start.at))
  const ended = parts.map(({ start, found }) => Date.parse(start.at) + found.ms)
  const isWhole = missing.length === 0
  return {
    cells: cells.map(({ name }) => digests.get(name) ?? { cell: name, digest: '' }),
    untested: new Map(all.flatMap(({ untested }) => [...untested])),
    stopped: isWhole ? worst.stopped : 'interrupt',
    why: isWhole ? worst.why : missingWords(missing, cells),
    done: sumOf(all, 'done'),
    requests: sumOf(all, 'requests'),
    ms: Math.max(...ended) - Math.min(...began),
    seen,
    closed: new Map(all.flatMap(({ closed }) => [...closed])),
    drifted: new Map(all.flatMap(({ drifted }) => [...drifted])),
    confirmations: confirmationsOf(all, seen),
    extras: worst.extras,
  }
}

const sumOf = (all: readonly Found[], what: 'done' | 'requests'): number =>
  all.reduce((sum, found) => sum + found[what], 0)

const most = 12

const missingWords = (missing: readonly Cell[], { length }: readonly Cell[]): string => {
  const names = missing.slice(0, most).map(({ name }) => name)
  const rest = missing.length - names.length
  return `${missing.length} of ${length} cells of the plan are missing: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const seenOf = (all: readonly Found[]): Seen => {
  const joined = createSeen()
  for (const { seen } of all) addSightings(joined, seen)
  return inOrderOfPlan(joined)
}

/** Of what several parts confirmed, that which one alone would have: steady before flaky, what was smaller when it came. */
const confirmationsOf = (all: readonly Found[], seen: Seen): Found['confirmations'] => {
  const incidents = new Map<string, Incident>()
  for (const { incidents: own } of seen.sightings.values())
    for (const incident of own) incidents.set(`${incident.flaw.id} ${incident.asked.number}`, incident)
  const original = ({ incident }: Confirmed): Incident =>
    incidents.get(`${incident.flaw.id} ${incident.asked.number}`) ?? incident
  const chosen = new Map<string, Confirmed>()
  const isBetter = (one: Confirmed, other: Confirmed): boolean =>
    one.repeat === other.repeat ? smallestFirst(original(one), original(other)) < 0 : one.repeat === 'steady'
  for (const [key, confirmed] of all.flatMap(({ confirmations }) => [...confirmations])) {
    const known = chosen.get(key)
    if (known === undefined || isBetter(confirmed, known)) chosen.set(key, confirmed)
  }
  return chosen
}
