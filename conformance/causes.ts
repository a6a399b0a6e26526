import { isIntegerSpelling, isOneOfFew, type Obligation } from '../spec/index.ts'

/** Faults that follow from a broader one: who takes any token takes one that was cut. */
const follows: Readonly<Record<string, readonly string[]>> = {
  'auth/query-token': ['auth/absent'],
  'auth/sticky-connection': ['auth/absent'],
  'auth/absent-invalid-body': ['auth/absent'],
  'auth/scheme-alone': ['auth/empty', 'auth/wrong-token'],
  'auth/empty': ['auth/absent'],
  'auth/wrong-scheme-basic': ['auth/wrong-scheme'],
  'auth/wrong-scheme-digest': ['auth/wrong-scheme'],
  'auth/wrong-scheme-token': ['auth/wrong-scheme'],
  'auth/wrong-scheme-prefix': ['auth/wrong-scheme', 'auth/joined'],
  'auth/wrong-scheme': ['auth/bare-token'],
  'auth/joined': ['auth/bare-token'],
  'auth/sticky-connection-token': ['auth/wrong-token'],
  'auth/wrong-token-invalid-body': ['auth/wrong-token', 'auth/absent-invalid-body'],
  'auth/token-changed': ['auth/wrong-token'],
  'auth/token-cut': ['auth/wrong-token', 'auth/token-changed'],
  'auth/token-lengthened': ['auth/wrong-token'],
  'auth/token-letter-case': ['auth/wrong-token'],
  'auth/placeholder-token': ['auth/wrong-token'],
  'auth/no-colon': ['auth/wrong-token'],
  'auth/no-password': ['auth/wrong-token'],
  'auth/no-user': ['auth/wrong-user'],
  'auth/malformed': ['auth/wrong-token'],
  'auth/two-tokens': ['auth/wrong-token', 'auth/token-lengthened', 'auth/token-changed'],
  'auth/two-headers': ['auth/wrong-token', 'auth/two-tokens'],
  'auth/two-headers-right-first': ['auth/wrong-token', 'auth/two-headers', 'auth/two-tokens'],
  'auth/upper-case-scheme': ['auth/lower-case-scheme'],
  'request/body/required/empty': ['request/body/json/truncated'],
  'request/body/required/absent': ['request/content-type/absent', 'request/body/required/empty'],
  'request/body/json/second-value': ['request/body/json/trailing-garbage'],
  'request/body/json/utf16': ['request/body/json/invalid-utf8', 'request/body/json/control-character'],
  'request/body/json/bad-escape': ['request/body/json/single-quotes'],
  'request/layout/escaped-values': ['request/layout/escaped-names'],
}

const beyondAscii = [
  'typographic',
  'accents',
  'right-to-left',
  'ideographs',
  'combining',
  'astral',
  'zero-width',
  'noncharacter',
  'line-separator',
]

const pathOf = ({ id, operation }: Obligation): string => id.slice(operation.length + 1)

/**
 * Names for the cause that may lie behind a broken obligation. Two findings that share one, and were answered alike,
 * are told as one: the same text refused in two properties, a limit that several large numbers are past.
 */
export const causesOf = (obligation: Obligation): readonly string[] => {
  const { subject, operation } = obligation
  const path = pathOf(obligation)
  const own = [path, ...(follows[path] ?? [])].map(name => `${operation}/${name}`)
  switch (subject.kind) {
    case 'value': {
      if (isIntegerSpelling(subject.name)) return [...own, `${operation} spelling`]
      const isNumber = subject.texts.every(text => /^-?\d/.test(text))
      if (isNumber) return [...own, `${operation} number ${subject.where.place}`]
      const kind = subject.name.startsWith('long-') ? 'long' : subject.name
      return [
        ...own,
        `${operation} text ${kind}`,
        ...(beyondAscii.includes(kind) ? [`${operation} beyond-ascii`] : []),
      ]
    }
    case 'media':
      return [...own, `${operation} media ${subject.accepted}`]
    case 'keyword':
      return subject.keyword === 'type' && (subject.detail === 'string' || subject.detail === 'numeral')
        ? [...own, `${operation} ${subject.where.place} text for number`]
        : own
    case 'answer':
      if (subject.aspect === 'echo') return [...own, `${operation} echo`]
      return ['schema', 'header', 'declared', 'challenge'].includes(subject.aspect)
        ? own
        : [...own, `${operation} ${subject.aspect}`]
    default:
      return own
  }
}

const isBeside = ({ subject: one }: Obligation, { subject: other }: Obligation): boolean => {
  if (one.kind !== 'value' && one.kind !== 'branch') return one.kind === other.kind
  return (
    one.kind === other.kind &&
    one.where.name === other.where.name &&
    one.where.place === other.where.place &&
    (one.kind !== 'branch' || (other.kind === 'branch' && one.keyword === other.keyword))
  )
}

/** Of a few one has to be there, but for what goes with an optional property. */
const isComplete = ({ subject }: Obligation): boolean =>
  subject.kind !== 'branch' || subject.keyword !== 'dependentSchemas'

/** Where there is a list its property is there: that lists of other lengths are accepted says which of the two it is. */
export const isOfLength = ({ subject }: Obligation): boolean =>
  subject.kind === 'branch' && subject.keyword === 'items'

/**
 * The obligations of one cause, the one first that says it best: what is not about one kind of request; what the
 * others follow from; which properties are
 * there, where that makes the difference (it `explains` all that was seen); any other before «any valid request».
 */
export const tellingFirst = (
  members: readonly Obligation[],
  all: readonly Obligation[],
  isKept: (id: string) => boolean,
  explains: (obligation: Obligation) => boolean,
): readonly Obligation[] => {
  const paths = new Set(members.map(pathOf))
  const isFollower = (obligation: Obligation): boolean =>
    (follows[pathOf(obligation)] ?? []).some(path => paths.has(path))
  // Where all of the few are broken, none of them is the cause.
  const isTelling = (obligation: Obligation): boolean =>
    isOneOfFew(obligation.subject) &&
    explains(obligation) &&
    !(
      isComplete(obligation) &&
      all
        .filter(own => isOneOfFew(own.subject) && isBeside(own, obligation))
        .every(own => members.includes(own))
    )
  const hasValid = members.some(({ subject }) => subject.kind === 'valid')
  const rank = (obligation: Obligation): number => {
    const { subject, family } = obligation
    if (family === 'load') return 0
    // An answer that is wrong in itself leads, where it did not just come along.
    if (family === 'answer') return obligation === members[0] ? 1 : 6
    if (isFollower(obligation)) return 5
    if (isTelling(obligation)) return isKept(obligation.id) ? 4.5 : isOfLength(obligation) ? 1.5 : 2
    if (subject.kind === 'value' && !isKept(obligation.id) && explains(obligation)) return 2.5
    if (isOneOfFew(subject) && hasValid && !explains(obligation)) return 4.2
    return subject.kind === 'valid' && members.length < 40 ? 4 : 3
  }
  return [...members].sort(
    (left, right) => rank(left) - rank(right) || all.indexOf(left) - all.indexOf(right),
  )
}

export type Caused = { readonly obligations: Obligation[]; readonly key: string; readonly signature: string }

/** Merges what shares a cause and a signature; `join` puts the second into the first. */
export const mergeCauses = <T extends Caused>(
  rows: readonly T[],
  join: (into: T, other: T) => void,
): readonly T[] => {
  const merged: T[] = []
  const homes = new Map<string, T>()
  for (const row of rows) {
    const names = [row.key, ...causeNames(row, rows)].map(name => `${row.signature} ${name}`)
    const known = names.map(name => homes.get(name)).find(home => home !== undefined)
    if (known === undefined) merged.push(row)
    else join(known, row)
    for (const name of names) homes.set(name, known ?? row)
  }
  return merged
}

// Letters beyond ASCII are one cause only where many kinds of them are refused: one kind may be a fault of its own.
const causeNames = (row: Caused, rows: readonly Caused[]): readonly string[] => {
  const names = row.obligations.flatMap(causesOf)
  const isBeyond = (name: string): boolean => name.endsWith(' beyond-ascii')
  const alike = rows.filter(
    ({ signature, obligations }) =>
      signature === row.signature && obligations.flatMap(causesOf).some(isBeyond),
  )
  const kinds = new Set(
    alike.flatMap(({ obligations }) =>
      obligations.flatMap(({ subject }) => (subject.kind === 'value' ? [subject.name] : [])),
    ),
  )
  return kinds.size >= 4 ? names : names.filter(name => !isBeyond(name))
}
