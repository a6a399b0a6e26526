import { clauseOf, header, type Obligation } from '../../spec/index.ts'
import type { Asked, Scene } from '../break/breaker.ts'
import { isWronglyGiven } from '../break/credentials.ts'
import { isOfKind } from '../break/marks.ts'
import { isOfBreach } from '../break/refuse.ts'
import type { Entry, Journal } from '../journal.ts'
import type { Lodger } from './lodgers.ts'
import type { SeenAll } from './shape.ts'

export type SeenOptions = Pick<Scene, 'tokens' | 'policy'> & {
  readonly journal: Journal
  /** The operation of an id in its home; undefined: there is none any more. */
  readonly lodgerOf: (id: string) => Lodger | undefined
}

/** What of the contract has been exercised. */
export type Exercise = { readonly seen: () => SeenAll; readonly clear: () => void }

type Tally = { readonly statuses: Map<number, number>; readonly obligations: Set<string> }

/**
 * Counts each answer as it is given, which costs next to nothing. Which obligations it shows but those that it breaks is
 * worked out when it is asked for, of the requests that the journal still has.
 */
export const createExercise = (options: SeenOptions): Exercise => {
  const { lodgerOf, journal } = options
  const tallies = new Map<string, Tally>()
  let undeclared = 0
  let looked = 0
  journal.listen(({ operation, status, breaches }) => {
    if (operation === null) {
      undeclared += 1
      return
    }
    const { statuses, obligations } = tallies.get(operation) ?? begin(tallies, operation)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const { id } of breaches) obligations.add(id)
  })
  const look = (): void => {
    for (const entry of journal.entries()) {
      const lodger = lodgerOf(entry.operation ?? '')
      const tally = tallies.get(entry.operation ?? '')
      if (entry.number <= looked || lodger === undefined || tally === undefined) continue
      for (const id of shownBy(options, lodger, entry, tally.obligations)) tally.obligations.add(id)
    }
    looked = journal.entries().at(-1)?.number ?? looked
  }
  return {
    seen: () => {
      look()
      return {
        undeclared,
        operations: Object.fromEntries(
          [...tallies].map(([id, { statuses, obligations }]) => [
            id,
            {
              requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
              statuses: Object.fromEntries(statuses),
              obligations: [...obligations],
            },
          ]),
        ),
      }
    },
    clear: () => {
      tallies.clear()
      undeclared = 0
    },
  }
}

const begin = (tallies: Map<string, Tally>, operation: string): Tally => {
  const tally = { statuses: new Map<number, number>(), obligations: new Set<string>() }
  tallies.set(operation, tally)
  return tally
}

/** The obligations that an exchange shows, of those that were not known yet. */
const shownBy = (
  options: SeenOptions,
  lodger: Lodger,
  entry: Entry,
  known: ReadonlySet<string>,
): readonly string[] => {
  const { operation } = lodger
  const siblings = lodger.obligations()
  const asked = askedOf(lodger, entry)
  const clause = clauseOf(operation, entry.status)?.status
  const broken = new Set(entry.breaches.map(({ id }) => id))
  const tokens = [...(options.tokens ?? []), ...(asked === null ? [] : tokensOf(asked))]
  return siblings
    .filter(({ id }) => !known.has(id))
    .filter(obligation => {
      const { id, subject } = obligation
      if (broken.has(id)) return true
      if (subject.kind === 'answer')
        return subject.aspect === 'declared' || (subject.status === clause && isAskedFor(subject, asked))
      if (asked === null) return subject.kind === 'valid' && broken.size === 0
      const scene: Scene = { ...options, ...lodger, obligation, siblings, tokens }
      if (asked.breaches.length === 0) return subject.kind === 'valid' || isOfKind(scene, subject, asked)
      if (subject.kind === 'credentials') return isWronglyGiven(scene, subject.name, asked)
      return obligation.family === 'refuse' && isOfBreach(scene, subject, asked)
    })
    .map(({ id }) => id)
}

type AnswerSubject = Extract<Obligation['subject'], { kind: 'answer' }>

/** Some rules of an answer hold only for what was asked for: an echo where there was something to give back. */
const isAskedFor = (subject: AnswerSubject, asked: Asked | null): boolean =>
  subject.aspect !== 'echo' ||
  (typeof asked?.body === 'object' && asked.body !== null && Object.hasOwn(asked.body, subject.name))

/** The request once more as the engine read it; null: a part of it is not there any more. */
const askedOf = ({ desk, prefix }: Lodger, entry: Entry): Asked | null => {
  const { method, headers, body } = entry
  const target = entry.target.slice(prefix.length)
  if (body !== null && body.length < entry.bodySize) return null
  const request = { method, target, headers, body, tooLarge: false, connection: entry }
  const read = desk.read(request)
  return read === null ? null : { ...read, request, before: [] }
}

/** What was given as credentials may hold a token in more than one way; where any is right, nothing says which. */
const tokensOf = ({ request }: Asked): readonly string[] => {
  const word = header(request.headers, 'authorization')?.trim().split(/\s+/).at(-1) ?? ''
  const bare = word.replace(/^(?:bearer|basic)[:=]?/i, '')
  return [word, bare].flatMap(own => [own, Buffer.from(own, 'base64').toString()]).filter(Boolean)
}
