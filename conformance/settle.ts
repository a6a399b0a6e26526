import type {
  Baseline,
  Contract,
  Finding,
  Obligation,
  RunEvent,
  Secret,
  Selection,
  StartEvent,
  Unauthenticated,
  Waivers,
} from '../spec/index.ts'
import { concludeOf } from './conclude.ts'
import { diagnose } from './diagnose.ts'
import type { Found } from './evidence.ts'
import { withExcerpt } from './excerpt.ts'
import { changedNotes } from './gate-notes.ts'
import type { Model } from './model.ts'
import { saidOf } from './observe.ts'
import { digestOf } from './stream.ts'
import { verdictsOf } from './verdicts.ts'

export type SettleOptions = {
  readonly start: Pick<StartEvent, 'target'>
  readonly contract: Contract
  readonly obligations: readonly Obligation[]
  readonly modelOf: (operation: string) => Model
  readonly asks: Selection
  readonly waivers: Waivers
  readonly baseline: Baseline
  readonly policy: Unauthenticated
  readonly strict: boolean
  readonly secrets: readonly Secret[]
}

/** Concludes from what was found: one finding for each cause, one verdict for each obligation, and the end. */
export const settle = (found: Found, options: SettleOptions): readonly RunEvent[] => {
  const { start, contract, obligations, modelOf, asks, waivers, baseline, policy, strict, secrets } = options
  const { seen, closed, stopped } = found
  const findings: Finding[] = [...closed.values()]
  const excused = new Map<string, string>()
  const touched = new Set(
    obligations
      .filter(({ id }) => (seen.sightings.get(id)?.incidents.length ?? 0) > 0)
      .map(({ operation }) => operation),
  )
  for (const [operation, own] of Map.groupBy(obligations, obligation => obligation.operation)) {
    const drifted = found.drifted.get(operation) ?? null
    if (stopped === 'unreachable' || closed.has(operation)) continue
    if (drifted === null && !touched.has(operation)) continue
    const diagnosis = diagnose(own, seen, {
      model: modelOf(operation),
      policy,
      confirmations: found.confirmations,
      refusesDuplicates: saidOf(seen, `${operation}/open/duplicate-id`).some(what =>
        what.startsWith('refused'),
      ),
      drifted,
      base: start.target,
      tokens: secrets,
    })
    findings.push(...diagnosis.findings)
    for (const [id, because] of diagnosis.excused) excused.set(id, because)
  }
  const verdicts = verdictsOf({
    ...found,
    obligations,
    findings,
    excused,
    closed: new Map([...closed.keys()].map(operation => [operation, 'no valid request was accepted'])),
    asks,
    waivers,
    baseline,
  })
  return [
    ...changedNotes(findings, baseline, waivers).map(message => ({
      type: 'note' as const,
      level: 'warning' as const,
      message,
    })),
    ...findings.map(finding => withExcerpt(finding, contract, obligations)),
    ...verdicts.map(({ obligation, verdict }) => ({
      type: 'verdict' as const,
      obligation: obligation.id,
      verdict,
    })),
    {
      type: 'end',
      stopped,
      why: found.why,
      conclusion: concludeOf(verdicts, { ...found, waivers, strict }),
      requests: found.requests,
      cases: found.done,
      ms: found.ms,
      digest: digestOf(found.cells),
    },
  ]
}
