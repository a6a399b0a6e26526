import { type Obligation, type Selection, testedScheme, type Unauthenticated } from '../spec/index.ts'
import type { Asker } from './ask.ts'
import { beyondPlan, type Case } from './case.ts'
import { expect } from './expect.ts'
import { judgeCase } from './judge-case.ts'
import { type MakerContext, makerOf } from './makers/index.ts'
import { addIncident, type Seen, sightingOf } from './observe.ts'

export type SoakOptions = {
  readonly obligations: readonly Obligation[]
  readonly context: MakerContext
  readonly asker: Asker
  readonly seen: Seen
  readonly policy: Unauthenticated
  readonly token: string
  readonly count: number
  readonly concurrency: number
  readonly asks: Selection
  readonly stopped: () => boolean
}

/**
 * Keeps the server busy with requests that are refused for their credentials, and so create nothing: what gives out
 * over some thousand requests shows without filling anybody's store.
 */
export const soak = async (options: SoakOptions): Promise<void> => {
  const { obligations, context, asker, seen, policy, count } = options
  const drift = obligations.find(({ subject }) => subject.kind === 'load' && subject.name === 'drift')
  const asked = refusedCase(options)
  if (drift === undefined || asked === null || !options.asks(drift.id)) return
  let left = count
  const worker = async (): Promise<void> => {
    while (left-- > 0 && !options.stopped()) {
      const outcome = await asker.send(asked)
      sightingOf(seen, drift.id).cases += 1
      const { own, others } = judgeCase(context.model, asked, outcome, policy)
      const flaw = own ?? others[0]
      if (flaw !== undefined) addIncident(seen, { asked, outcome, flaw })
      if (outcome.kind === 'failure') left -= 100
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, worker))
}

const refusedCase = ({ obligations, context, token }: SoakOptions): Case | null => {
  const absent = obligations.find(
    ({ subject }) => subject.kind === 'credentials' && subject.name === 'absent',
  )
  if (absent === undefined || testedScheme(context.model) === null) return null
  const maker = makerOf(context, absent)
  const draft = maker === null || 'untested' in maker ? null : maker.make(0, 0)
  const expected = draft === null ? null : expect(context.model, absent, draft, token)
  return draft === null || expected === null
    ? null
    : { number: beyondPlan, obligation: absent, draft, lane: 'any', ...expected }
}
