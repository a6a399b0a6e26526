import { credentialKinds, isObject, type Json, type Subject, testedScheme } from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { rich, without } from './base.ts'
import type { Maker, MakerContext, Untested } from './maker.ts'

/** Requests with other credentials than the right ones, or the right ones spelled otherwise. */
export const credentialsMaker = (
  { model, tokenKnown }: MakerContext,
  { name }: Extract<Subject, { kind: 'credentials' }>,
  base: (number: number) => Draft,
): Maker | Untested => {
  const scheme = testedScheme(model)
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (kind === undefined) return { untested: 'credentials of this scheme are not supported' }
  if (kind.needsToken && !tokenKnown)
    return { untested: 'without --token any token may be right, so none is known to be wrong' }
  const variants = Math.max(1, kind.variants.length)
  const bodies = kind.invalidBody ? 4 : 2
  const make: Maker['make'] = (index, number) => {
    const draft = base(number)
    const credentials = { kind, pick: index % variants }
    if (kind.invalidBody)
      return { ...draft, body: invalidBody(draft.body, index), credentials, renewable: false }
    // A check may hang on what the body has: plain ones and full ones take turns.
    return { ...(Math.floor(index / variants) % 2 === 0 ? draft : rich(model, draft, number)), credentials }
  }
  return { size: variants * bodies, weight: 0, lane: kind.afterAccepted ? 'after-accepted' : 'any', make }
}

/** Bodies that are refused by themselves: of another type, without a property, with a wrong one. */
const invalidBody = (body: Json | undefined, index: number): Json => {
  if (!isObject(body)) return {}
  const names = Object.keys(body)
  const [first = 'a', last = 'a'] = [names[0], names.at(-1)]
  return [[], without(body, last), { ...body, [last]: null }, { ...body, [first]: 'one' }][index % 4] ?? []
}
