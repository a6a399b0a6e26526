import type { Finding, Obligation, Unauthenticated } from '../spec/index.ts'
import type { Asker } from './ask.ts'
import {
  type Budget,
  type Confirmed,
  confirm,
  type FindingOptions,
  isUndeclared,
  primaryOf,
  toFinding,
} from './findings.ts'
import { groupIncidents } from './group.ts'
import type { Model } from './model.ts'
import type { Incident, Seen } from './observe.ts'

export type Diagnosis = {
  readonly findings: readonly Finding[]
  /** Obligations whose incidents say nothing after all, and why. */
  readonly excused: ReadonlyMap<string, string>
}

export type DiagnoseOptions = FindingOptions & {
  readonly model: Model
  readonly asker: Asker
  readonly policy: Unauthenticated
  readonly budget: Budget
  /** Whether the server refuses an identity that it has seen. */
  readonly refusesDuplicates: boolean
}

type Cluster = {
  readonly obligations: Obligation[]
  readonly confirmed: Confirmed
  readonly incidents: Incident[]
}

/** Turns what was seen of one operation into findings: one for each cause. */
export const diagnose = async (
  obligations: readonly Obligation[],
  record: Seen,
  options: DiagnoseOptions,
): Promise<Diagnosis> => {
  const { model } = options
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const excused = new Map<string, string>()
  const clusters = new Map<string, Cluster>()
  const flaky: {
    readonly obligation: Obligation
    readonly confirmed: Confirmed
    readonly incidents: readonly Incident[]
  }[] = []
  const add = (
    key: string,
    group: readonly Obligation[],
    confirmed: Confirmed,
    incidents: readonly Incident[],
  ): void => {
    const known = clusters.get(key)
    if (known === undefined)
      clusters.set(key, { obligations: [...group], confirmed, incidents: [...incidents] })
    else {
      known.obligations.push(...group.filter(obligation => !known.obligations.includes(obligation)))
      known.incidents.push(...incidents)
    }
  }

  for (const group of groupIncidents(obligations, record)) {
    const speaker = primaryOf(group.obligations)
    const own = group.incidents.filter(({ flaw }) => flaw.id === speaker.id)
    const confirmed = await confirm(speaker.id, own, options)
    if (confirmed === null) continue
    if (confirmed.repeat === 'flaky') {
      const spent =
        options.refusesDuplicates &&
        own.every(
          ({ asked, outcome }) =>
            !asked.draft.renewable && asked.expected === 'accepted' && outcome.kind === 'answer',
        )
      if (spent) for (const { id } of group.obligations) excused.set(id, spentIdentity)
      else flaky.push({ obligation: speaker, confirmed, incidents: group.incidents })
      continue
    }
    if (options.refusesDuplicates && isSpent(confirmed)) {
      for (const { id } of group.obligations) excused.set(id, spentIdentity)
      continue
    }
    // What is not about acceptance differs by its obligation, however alike the requests are.
    const key =
      confirmed.incident.asked.expected === 'accepted' ? confirmed.key : `${speaker.id} ${confirmed.key}`
    add(key, group.obligations, confirmed, group.incidents)
  }

  const explained = new Set(
    [...clusters.values()].flatMap(({ incidents }) => incidents.map(({ asked }) => asked.number)),
  )
  for (const incident of flaky.flatMap(({ incidents }) => incidents)) explained.add(incident.asked.number)
  for (const { id, family } of obligations) {
    if (family !== 'answer' && !id.endsWith('/load/pairing')) continue
    const incidents = record.sightings.get(id)?.incidents ?? []
    const unexplained = id.endsWith('/response/declared')
      ? incidents.filter(({ asked }) => !explained.has(asked.number))
      : incidents
    if (unexplained.length === 0) continue
    const confirmed = id.endsWith('/load/pairing')
      ? shownUnderLoad(unexplained)
      : await confirm(id, unexplained, options)
    if (confirmed !== null) add(id, [byId.get(id) as Obligation], confirmed, unexplained)
  }

  const findings = [...clusters.values()].map(({ obligations: group, confirmed, incidents }) => {
    const declared = byId.get(`${model.operation.id}/response/declared`)
    // A crash on what SHOULD be accepted is an answer that MUST NOT be.
    const promoted =
      group.every(({ level }) => level !== 'MUST') &&
      declared !== undefined &&
      isUndeclared(model, confirmed.incident.outcome)
    const members = promoted ? [declared, ...group] : group
    return tell(members, confirmed, incidents, options)
  })
  return { findings: [...findings, ...flakyFindings(flaky, byId, options)], excused }
}

const spentIdentity =
  'the server refuses what it has seen before, and may have seen this value in an earlier run'

/** A refused edge tells nothing where it may be a duplicate. */
const isSpent = ({ incident: { asked, outcome } }: Confirmed): boolean =>
  asked.expected === 'accepted' &&
  !asked.draft.renewable &&
  asked.obligation.subject.kind === 'value' &&
  outcome.kind === 'answer' &&
  outcome.answer.status >= 400 &&
  outcome.answer.status < 500

/** Mixed-up answers need many requests in flight: one request alone does not show them. */
const shownUnderLoad = (incidents: readonly Incident[]): Confirmed | null => {
  const [incident] = incidents
  return incident === undefined
    ? null
    : { incident, repeat: incidents.length > 1 ? 'steady' : 'flaky', key: 'pairing' }
}

const tell = (
  members: readonly Obligation[],
  confirmed: Confirmed,
  incidents: readonly Incident[],
  options: FindingOptions,
): Finding => {
  const primary = primaryOf(members)
  const also = members.filter(obligation => obligation !== primary).map(({ id }) => id)
  return toFinding(primary, also, confirmed, incidents.length, options)
}

/** What came once and not again: the server does not answer the same request the same way. */
const flakyFindings = (
  flaky: readonly {
    readonly obligation: Obligation
    readonly confirmed: Confirmed
    readonly incidents: readonly Incident[]
  }[],
  byId: ReadonlyMap<string, Obligation>,
  options: DiagnoseOptions,
): readonly Finding[] => {
  const byKey = new Map<string, typeof flaky>()
  for (const row of flaky) byKey.set(row.confirmed.key, [...(byKey.get(row.confirmed.key) ?? []), row])
  const consistency = byId.get(`${options.model.operation.id}/load/consistency`)
  return [...byKey.values()].map(rows => {
    const [first] = rows as readonly [(typeof rows)[number]]
    const members = [
      ...(consistency === undefined ? [] : [consistency]),
      ...rows.map(({ obligation }) => obligation),
    ]
    return tell(
      [...new Set(members)],
      first.confirmed,
      rows.flatMap(({ incidents }) => incidents),
      options,
    )
  })
}
