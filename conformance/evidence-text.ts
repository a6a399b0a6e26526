import {
  type Contract,
  type Outcome,
  parseJson,
  type RecordedOutcome,
  type RecordedRequest,
  type Request,
  recordOutcome,
  recordRequest,
  redact,
  type Secret,
  type StartEvent,
} from '../spec/index.ts'
import type { Case } from './case.ts'
import type { Evidence, Found } from './evidence.ts'
import { PartError } from './join.ts'
import type { Incident, Seen } from './observe.ts'
import { chosenOf } from './part.ts'
import { promisesOf } from './start.ts'

const version = 1

type WrittenCase = Omit<Case, 'obligation' | 'request'> & {
  readonly obligation: string
  readonly request: RecordedRequest
}
type WrittenMiss = { readonly asked: WrittenCase; readonly outcome: RecordedOutcome }
type WrittenIncident = WrittenMiss & Pick<Incident, 'flaw'>

/** A part of a run as JSON. What follows from the contract is left out, as each of very many parts would repeat it. */
type Written = Omit<Evidence, 'start' | 'found'> & {
  readonly plantstorePart: number
  readonly start: Omit<StartEvent, keyof ReturnType<typeof promisesOf>>
  readonly found: Omit<Found, 'untested' | 'seen' | 'closed' | 'drifted' | 'confirmations'> & {
    readonly untested: readonly (readonly [string, string])[]
    readonly closed: readonly (readonly [
      string,
      Found['closed'] extends ReadonlyMap<string, infer F> ? F : never,
    ])[]
    readonly drifted: readonly (readonly [string, WrittenMiss])[]
    readonly confirmations: readonly (readonly [
      string,
      { readonly repeat: 'steady' | 'flaky'; readonly key: string; readonly incident: WrittenIncident },
    ])[]
    readonly sightings: readonly (readonly [
      string,
      { readonly cases: number; readonly failed: number; readonly incidents: readonly WrittenIncident[] },
    ])[]
    readonly said: readonly (readonly [string, readonly (readonly [string, number])[]])[]
  }
}

/** Writes a part down, without secrets: what the server gave back of them is taken out. */
export const writeEvidence = (
  { start, gates, notes, exchanges, found }: Evidence,
  secrets: readonly Secret[],
): string => {
  const { operations: _, obligations: __, clauses: ___, ...own } = start
  const { untested, seen, closed, drifted, confirmations, ...plain } = found
  const operations = new Set(found.cells.map(({ cell }) => cell.slice(0, cell.lastIndexOf('/'))))
  const incident = ({ flaw, ...miss }: Incident): WrittenIncident => ({
    ...writeMiss(miss, secrets),
    flaw: { ...flaw, wanted: redact(flaw.wanted, secrets), got: redact(flaw.got, secrets) },
  })
  const written: Written = {
    plantstorePart: version,
    start: { ...own, identities: own.identities.filter(({ operation }) => operations.has(operation)) },
    gates,
    notes,
    exchanges,
    found: {
      ...plain,
      why: plain.why === null ? null : redact(plain.why, secrets),
      untested: [...untested],
      closed: [...closed].map(([operation, finding]) => [
        operation,
        { ...finding, wanted: redact(finding.wanted, secrets), got: redact(finding.got, secrets) },
      ]),
      drifted: [...drifted].map(([operation, miss]) => [operation, writeMiss(miss, secrets)]),
      confirmations: [...confirmations].map(([key, confirmed]) => [
        key,
        { ...confirmed, incident: incident(confirmed.incident) },
      ]),
      sightings: [...seen.sightings].map(([id, sighting]) => [
        id,
        { ...sighting, incidents: sighting.incidents.map(incident) },
      ]),
      said: [...seen.said].map(([id, sayings]) => [
        id,
        [...sayings].map(([what, count]) => [redact(what, secrets), count]),
      ]),
    },
  }
  return JSON.stringify(written)
}

const writeMiss = ({ asked, outcome }: Omit<Incident, 'flaw'>, secrets: readonly Secret[]): WrittenMiss => ({
  asked: {
    ...asked,
    obligation: asked.obligation.id,
    request: recordRequest(asked.request, Number.POSITIVE_INFINITY),
  },
  outcome: recordOutcome(outcome, secrets, Number.POSITIVE_INFINITY),
})

/** Reads a part again. Throws PartError where the text is none, or one of another contract. */
export const readEvidence = (text: string, contract: Contract): Evidence => {
  const written = parsed(text)
  const { digest, title } = written.start.contract
  if (digest !== contract.digest)
    throw new PartError(
      `it is of another contract (${title}, digest ${digest.slice(0, 12)}…): give the same document with --spec`,
    )
  const { start, obligations } = startWith(written, contract)
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const miss = ({ asked, outcome }: WrittenMiss): Omit<Incident, 'flaw'> => {
    const obligation = byId.get(asked.obligation)
    if (obligation === undefined) throw new PartError(`the contract has no obligation ${asked.obligation}`)
    return {
      asked: { ...asked, obligation, request: readRequest(asked.request) },
      outcome: readOutcome(outcome),
    }
  }
  const incident = ({ flaw, ...rest }: WrittenIncident): Incident => ({ ...miss(rest), flaw })
  const { untested, closed, drifted, confirmations, sightings, said, ...plain } = written.found
  const seen: Seen = {
    sightings: new Map(
      sightings.map(([id, sighting]) => [id, { ...sighting, incidents: sighting.incidents.map(incident) }]),
    ),
    said: new Map(said.map(([id, sayings]) => [id, new Map(sayings)])),
  }
  return {
    start,
    gates: written.gates,
    notes: written.notes,
    exchanges: written.exchanges,
    found: {
      ...plain,
      untested: new Map(untested),
      seen,
      closed: new Map(closed),
      drifted: new Map(drifted.map(([operation, own]) => [operation, miss(own)])),
      confirmations: new Map(
        confirmations.map(([key, confirmed]) => [
          key,
          { ...confirmed, incident: incident(confirmed.incident) },
        ]),
      ),
    },
  }
}

const parsed = (text: string): Written => {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new PartError('it is not JSON: was it cut off?')
  }
  const found = (value as Partial<Written> | null)?.plantstorePart
  if (found === undefined) throw new PartError('it is not a part of a run')
  if (found !== version)
    throw new PartError(
      `it is a part of version ${found}, and this reads version ${version}: use one version for all parts`,
    )
  return value as Written
}

const startWith = ({ start, gates }: Written, contract: Contract) => {
  const { obligations } = chosenOf(contract, start, gates)
  return {
    obligations,
    start: { ...start, ...promisesOf(contract, obligations) },
  }
}

const bytesOf = ({
  data,
  encoding,
}: {
  readonly data: string
  readonly encoding: 'utf8' | 'base64'
}): Uint8Array => Buffer.from(data, encoding)

const readRequest = ({ body, ...rest }: RecordedRequest): Request => ({
  ...rest,
  body: body === null ? null : bytesOf(body),
})

const readOutcome = (outcome: RecordedOutcome): Outcome => {
  if (outcome.kind === 'failure') return outcome
  const { status, headers, body, ...rest } = outcome
  return { ...rest, answer: { status, headers, body: bytesOf(body) } }
}
