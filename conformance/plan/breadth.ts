import type { Family, Obligation } from '../../spec/index.ts'
import type { Row } from './row.ts'

/**
 * The order of the first cases of a large contract: every operation gets what tells most of any, with a valid request among it, then by turns a
 * case of one family after the other, of a kind that it has not had. What operations share, such as a parameter or a schema, is spread over them: each takes
 * what the fewest before it have taken. So a run that ends early has seen a little of everything. `again`: how often a valid request of each
 * operation comes again meanwhile, at most. `late`: operations that begin when the others have had more than half of what tells most, so that
 * a minute is enough for some of theirs. `unasked`: operations that have not been sent any valid request yet: these come first.
 */
export function* inContractBreadth(
  rows: readonly Row[],
  again: number,
  late: ReadonlySet<string> = new Set(),
  unasked: ReadonlySet<string> = new Set(),
  isLateDue: () => boolean = () => false,
): Generator<Row> {
  const isLate = ({ obligation }: Row): boolean => late.has(obligation.operation)
  const isUnasked = ({ obligation }: Row): boolean => unasked.has(obligation.operation)
  yield* rows.filter(row => isValid(row) && isUnasked(row) && !isLate(row))
  const taken = new Map<string, number>()
  const queuesOf = (some: readonly Row[]): readonly Queue[] =>
    [...Map.groupBy(some, ({ obligation }) => obligation.operation).values()].map(ofOperation => {
      // These get their first one before their turns.
      const isFirstGiven = ofOperation.some(row => isUnasked(row) || isLate(row))
      return createQueue(ofOperation, taken, isFirstGiven ? again : again + 1)
    })
  let open = queuesOf(rows.filter(row => !isLate(row)))
  let waiting = rows.filter(isLate)
  for (let turn = 0; open.length > 0 || waiting.length > 0; turn++) {
    if (waiting.length > 0 && (turn >= turnsBeforeLate || isLateDue())) {
      yield* waiting.filter(isValid)
      open = [...open, ...queuesOf(waiting)]
      waiting = []
    }
    const left: Queue[] = []
    for (const queue of open) {
      const row = queue.next()
      if (row === null) continue
      yield row
      left.push(queue)
    }
    open = left
  }
}

export const isValid = ({ obligation: { subject } }: Row): boolean => subject.kind === 'valid'

/** At most so many cases an obligation gets while the others get their first; `again`: of a valid request, how often it comes again. */
export const mostFirst = ({ subject }: Obligation, again: number): number => {
  if (subject.kind === 'state') return 3
  return subject.kind === 'valid' && again > 0 ? 5 + again : 1
}

/** While everything else gets its first case, valid requests that combine conditions come again, as one in ten cases, and so often. */
export const againIn = (obligations: readonly Obligation[]): number => {
  const valid = obligations.filter(({ subject }) => subject.kind === 'valid').length
  return Math.min(12, Math.floor(obligations.length / 10 / Math.max(1, valid)))
}

/** The families in the order of their turns, and valid requests; what counts most has most turns. */
const turns: readonly (Family | 'valid')[] = [
  'auth',
  'state',
  'ownership',
  'idempotency',
  'conditional',
  'reject',
  'accept',
  'valid',
  'state',
  'reject',
  'accept',
  'stability',
  'auth',
  'reject',
  'accept',
  'unspecified',
]

/**
 * What shows most of any operation: whether it asks for credentials, and how it answers to what cannot be read, to what is too large to be
 * kept, to what names nothing, to what is of a wrong type or missing, and to valid requests that combine conditions.
 */
const telling: readonly ('valid' | ((obligation: Obligation) => boolean))[] = [
  obligation => kindOf(obligation) === first,
  // Many frameworks answer to bytes that are no text in another way than to all else.
  ({ subject }) => subject.kind === 'malformed' && subject.name === 'invalid-utf8',
  ({ subject }) => subject.kind === 'keyword' && subject.keyword === 'type',
  ({ subject }) => subject.kind === 'value' && subject.location.in === 'path',
  'valid',
  // Whether what was sent is there afterwards, and what was removed is not.
  ({ subject }) => subject.kind === 'state' && ['stored', 'gone'].includes(subject.name),
  // What reads the credentials of one scheme may fail at those of another.
  ({ subject }) => subject.kind === 'credentials' && subject.name === 'other-scheme',
  // Many servers fail at a number that no database can keep. In a path they read it first.
  ({ subject }) =>
    subject.kind === 'value' && subject.name === 'past-int64' && subject.location.in === 'path',
  ({ subject }) => subject.kind === 'value' && subject.name === 'past-int64',
  'valid',
  // Many servers cannot compare or decode what is not ASCII.
  ({ subject }) => subject.kind === 'credentials' && subject.name === 'non-ascii-token',
  ({ subject }) => subject.kind === 'malformed',
  ({ subject }) => subject.kind === 'value' && ['query', 'header'].includes(subject.location.in),
  // A parameter that orders or filters takes few texts, though the document allows any.
  ({ subject }) =>
    subject.kind === 'value' && subject.location.in === 'query' && /^\[?"/.test(subject.texts[0] ?? ''),
  // Many databases take no NUL, and much code takes no empty text for what it needs.
  ({ subject }) => subject.kind === 'value' && subject.name === 'nul',
  ({ subject }) => subject.kind === 'value' && subject.name === 'empty' && subject.location.in === 'query',
  ({ subject }) => subject.kind === 'no-body' || subject.kind === 'missing-parameter',
  ({ subject }) => 'name' in subject && subject.name === 'type-of-no-body',
  ({ subject }) => subject.kind === 'unspecified' && subject.name === 'other-method',
  'valid',
]

/** Of what tells most, so much comes before the operations that begin late. */
const turnsBeforeLate = 9

/** Whether each of so many operations has had what tells most of it once so many cases are drawn. */
export const hasToldMost = (drawn: number, operations: number): boolean =>
  drawn >= telling.length * operations

type Queue = { readonly next: () => Row | null }
type OfFamily = Queue & {
  /** The row that was taken least of those that are meant; null if there is none. */
  readonly take: (isMeant: (obligation: Obligation) => boolean) => Row | null
}

const createQueue = (rows: readonly Row[], taken: Map<string, number>, timesValid: number): Queue => {
  const others = rows.filter(row => !isValid(row))
  const families = new Map(
    [...Map.groupBy(others, ({ obligation }) => obligation.family)].map(([family, ofFamily]) => [
      family,
      createFamily(ofFamily, taken),
    ]),
  )
  const valid = rows.filter(isValid).flatMap(row => Array.from({ length: timesValid }, () => row))
  let turn = 0
  let asked = 0
  return {
    next: () => {
      while (asked < telling.length) {
        const isMeant = telling[asked++] as (typeof telling)[number]
        const row = isMeant === 'valid' ? valid.pop() : firstTaken(families.values(), isMeant)
        if (row !== undefined && row !== null) return row
      }
      for (let tried = 0; tried < turns.length; tried++) {
        const of = turns[turn++ % turns.length] as (typeof turns)[number]
        const row = (of === 'valid' ? valid.pop() : families.get(of)?.next()) ?? null
        if (row !== null) return row
      }
      return null
    },
  }
}

/** The first row of these that is meant; no other family loses one. */
const firstTaken = (
  families: Iterable<OfFamily>,
  isMeant: (obligation: Obligation) => boolean,
): Row | null => {
  for (const family of families) {
    const row = family.take(isMeant)
    if (row !== null) return row
  }
  return null
}

/** The rows of one family of one operation: one kind after the other, of each the row that was taken least. */
const createFamily = (rows: readonly Row[], taken: Map<string, number>): OfFamily => {
  const kinds = Map.groupBy(rows, ({ obligation }) => kindOf(obligation))
  let open: readonly string[] = []
  const remove = (kind: string, row: Row): Row => {
    const ofKind = kinds.get(kind) ?? []
    open = open.filter(name => name !== kind)
    ofKind.splice(ofKind.indexOf(row), 1)
    if (ofKind.length === 0) kinds.delete(kind)
    for (const name of [kind, shareIn(row)]) taken.set(name, (taken.get(name) ?? 0) + 1)
    return row
  }
  return {
    take: isMeant => {
      const meant = [...kinds].flatMap(([kind, ofKind]) =>
        ofKind.flatMap(row => (isMeant(row.obligation) ? [{ kind, row }] : [])),
      )
      const found = leastOf(meant, ({ row }) => shareIn(row), taken)
      return found === undefined ? null : remove(found.kind, found.row)
    },
    next: () => {
      if (open.length === 0) open = [...kinds.keys()]
      const kind = open.includes(first) ? first : leastOf(open, name => name, taken)
      const ofKind = kind === undefined ? undefined : kinds.get(kind)
      if (kind === undefined || ofKind === undefined) return null
      const row = leastOf(ofKind, shareIn, taken)
      return row === undefined ? null : remove(kind, row)
    },
  }
}

/** The first of those that were taken least. */
const leastOf = <T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  taken: ReadonlyMap<string, number>,
): T | undefined => {
  let [best, least] = [items[0], Number.POSITIVE_INFINITY]
  for (const item of items) {
    const count = taken.get(nameOf(item)) ?? 0
    if (count < least) [best, least] = [item, count]
    if (least === 0) break
  }
  return best
}

/** Every operation may have forgotten to ask for credentials, so it is asked for that first. */
const first = 'auth absent'

/** What is tested in one way. */
const kindOf = ({ family, subject }: Obligation): string => {
  const ofFamily = (name: string): string => `${family} ${name}`
  if (family === 'auth')
    return subject.kind === 'credentials' && /^(absent|undeclared)$/.test(subject.name)
      ? first
      : ofFamily('others')
  if (subject.kind === 'keyword' || subject.kind === 'branch')
    return ofFamily(`${subject.kind} ${subject.keyword}`)
  return ofFamily(
    family === 'accept' || !('name' in subject) ? subject.kind : `${subject.kind} ${subject.name}`,
  )
}

const shareIn = ({ obligation }: Row): string => shareOf(obligation)

/** The same for obligations that are one and the same but for the operation. */
const shareOf = ({ clause, subject }: Obligation): string => {
  switch (subject.kind) {
    case 'keyword':
      return `${clause.pointer} ${subject.keyword} ${subject.detail}`
    case 'value':
      return `${clause.pointer} ${subject.name}`
    case 'branch':
      return `${clause.pointer} ${subject.branch}`
    case 'missing-parameter':
    case 'presence':
      return clause.pointer
    default:
      return `${subject.kind} ${'name' in subject ? subject.name : ''}`
  }
}
