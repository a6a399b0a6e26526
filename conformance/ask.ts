import { header, isObject, type Obligation, type Outcome, setAt, step } from '../spec/index.ts'
import type { Case, Draft } from './case.ts'
import { expect } from './expect.ts'
import { type MakerContext, makerOf, plainDrafts, rich } from './makers/index.ts'
import { renderRequest } from './render.ts'
import type { Transport } from './transport/index.ts'
import { rawOf } from './wire.ts'

/** Sends cases of one operation, and new ones in their likeness. */
export type Asker = {
  readonly send: (asked: Case) => Promise<Outcome>
  /** The same case with a fresh identity, where it has one that may be replaced; null where the draft no longer tests it. */
  readonly renew: (asked: Case, draft: Draft) => Case | null
  /** A valid request, never sent before: the plainest, with all that is optional, or any. */
  readonly golden: (obligation: Obligation, kind: 'plain' | 'rich' | 'random') => Case
  readonly waited: () => number
}

/** Plain requests that are tried for one that the contract takes: some bodies cannot be made but by chance. */
const attempts = 20

export type AskerOptions = {
  readonly context: MakerContext
  readonly obligations: readonly Obligation[]
  readonly transport: Transport
  readonly token: string
  readonly patienceMs: number
}

export const createAsker = ({ context, obligations, transport, token, patienceMs }: AskerOptions): Asker => {
  const { model, identities } = context
  const plain = plainDrafts(context)
  let waits = 0
  // Numbers of requests beyond the plan: their labels are nobody else's.
  let extra = 40_000_000
  const fresh = (draft: Draft): Draft =>
    identities === null || !draft.renewable || !isObject(draft.body)
      ? draft
      : { ...draft, body: setAt(draft.body, step('', identities.name), identities.spare()) }
  const goldenDraft = (): Draft => fresh(plain(extra++))
  const refusedDraft = (): Draft => {
    if (model.body?.in === 'body')
      return { ...goldenDraft(), encoding: { kind: 'malformed', name: 'truncated', pick: 2 } }
    // Without a body in JSON there is some other fault: the first that is known.
    for (const obligation of obligations.filter(({ family }) => family === 'refuse' || family === 'bearer')) {
      const maker = makerOf(context, obligation)
      const draft = maker === null || 'untested' in maker ? null : maker.make(0, extra++)
      if (draft !== null && expect(model, obligation, draft, token)?.expected === 'refused') return draft
    }
    return goldenDraft()
  }
  const goldens = {
    plain: (draft: Draft): Draft => draft,
    rich: (draft: Draft, number: number): Draft => rich(model, draft, number),
    random: (draft: Draft, number: number): Draft =>
      draft.body === undefined ? draft : fresh({ ...draft, body: context.values.body(number) ?? draft.body }),
  } as const
  const once = async ({ lane, request, draft }: Case): Promise<Outcome> => {
    if (lane === 'any') return transport.send(request)
    if (lane === 'after-wire') {
      const raw = rawOf(request, draft)
      if (raw !== null) await transport.send({ ...request, raw })
      return (await transport.sendInRow([request]))[0] as Outcome
    }
    const before =
      lane === 'twice'
        ? request
        : renderRequest(model.operation, lane === 'after-accepted' ? goldenDraft() : refusedDraft())
    const outcomes = await transport.sendInRow([before, request])
    return outcomes.at(-1) as Outcome
  }
  return {
    send: async asked => {
      let outcome = await once(asked)
      for (let tries = 0; tries < 5; tries++) {
        const wait = retryAfter(outcome)
        if (wait === null || wait > patienceMs) return outcome
        waits += 1
        await new Promise(resolve => setTimeout(resolve, wait))
        outcome = await once(asked)
      }
      return outcome
    },
    renew: (asked, draft) => {
      const renewed = fresh(draft)
      const expected = expect(model, asked.obligation, renewed, token)
      return expected === null || expected.expected !== asked.expected
        ? null
        : { ...asked, draft: renewed, ...expected }
    },
    golden: (obligation, kind) => {
      for (let tries = 1; ; tries++) {
        const number = extra
        // What no plain request does, one with all that is optional may.
        const own = kind === 'plain' && tries === attempts ? 'rich' : kind
        const draft = goldens[own](goldenDraft(), number)
        const expected = expect(model, obligation, draft, token)
        if (expected?.expected === 'accepted' || tries === attempts)
          return {
            number,
            obligation,
            expected: 'accepted',
            cause: null,
            draft,
            request: renderRequest(model.operation, draft),
            lane: 'any',
          }
      }
    },
    waited: () => waits,
  }
}

/** Milliseconds that a busy server asks to be left alone for; null where it does not. */
const retryAfter = (outcome: Outcome): number | null => {
  if (outcome.kind === 'failure' || (outcome.answer.status !== 429 && outcome.answer.status !== 503))
    return null
  const after = header(outcome.answer.headers, 'retry-after')
  if (after === null) return null
  // A date (RFC 9110 10.2.3) is one of the server's clock, which it tells as well.
  const seconds = /^\d+$/.test(after.trim())
    ? Number(after)
    : (Date.parse(after) - Date.parse(header(outcome.answer.headers, 'date') ?? '')) / 1000
  return Number.isNaN(seconds) ? null : Math.max(20, seconds * 1000)
}
