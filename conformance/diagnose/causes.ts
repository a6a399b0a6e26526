import { isIntegerSpelling, isOneOfFew, type Obligation, pathOf } from '../../spec/index.ts'

/** Faults that follow from broader ones: a server that accepts any token accepts a token that was cut. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  'auth/query-token': ['auth/absent'],
  'auth/other-header': ['auth/absent'],
  'auth/cookie-token': ['auth/absent'],
  'auth/other-scheme': ['auth/absent'],
  'auth/body-token': ['auth/absent'],
  'auth/trusted-header': ['auth/absent'],
  'auth/trusted-parameter': ['auth/absent'],
  'auth/method-override': ['auth/absent'],
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
  'auth/pattern-token': ['auth/wrong-token'],
  'auth/injection-token': ['auth/wrong-token'],
  'auth/forged-token': ['auth/wrong-token'],
  'auth/encoded-token': ['auth/wrong-token'],
  'auth/quoted-token': ['auth/wrong-token', 'auth/token-in-text'],
  'auth/named-token': ['auth/wrong-token', 'auth/token-in-text'],
  'auth/token-in-text': ['auth/wrong-token', 'auth/token-lengthened'],
  'auth/token-length': ['auth/wrong-token', 'auth/token-lengthened'],
  'auth/two-schemes': ['auth/wrong-scheme', 'auth/two-tokens'],
  'auth/no-colon': ['auth/wrong-token'],
  'auth/no-password': ['auth/wrong-token'],
  'auth/no-user': ['auth/wrong-user'],
  'auth/malformed': ['auth/wrong-token', 'auth/token-lengthened', 'auth/token-changed', 'auth/bare-token'],
  'auth/two-tokens': ['auth/wrong-token', 'auth/token-lengthened', 'auth/token-changed'],
  'auth/upper-case-scheme': ['auth/lower-case-scheme'],
  'request/body/displaced': ['request/body/several-violations'],
  'request/body/required/empty': ['request/body/json/truncated'],
  'request/body/required/absent': ['request/content-type/absent', 'request/body/required/empty'],
  'request/body/json/second-value': ['request/body/json/trailing-garbage'],
  'request/body/json/utf16': ['request/body/json/invalid-utf8', 'request/body/json/control-character'],
  'request/body/json/bad-escape': ['request/body/json/single-quotes'],
  'request/framing/chunk-extension': ['request/framing/chunked'],
  'request/framing/chunk-zeros': ['request/framing/chunked'],
  'request/framing/chunk-trailer': ['request/framing/chunked'],
  'request/framing/chunk-many': ['request/framing/chunked'],
  'request/layout/escaped-values': ['request/layout/escaped-names'],
}

/** The kinds of text with letters beyond ASCII. */
export const beyondAscii: readonly string[] = [
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

const nameOf = ({ subject }: Obligation): string => pathOf(subject).join('/')

/**
 * Names for what may be the cause of a failed obligation. Two failures that share a name and a signature are reported as one: the
 * same text rejected in two properties, a limit that several large numbers exceed.
 */
const causesOf = (obligation: Obligation): readonly string[] => {
  const { subject, operation } = obligation
  const own = nameOf(obligation)
  const causes = [own, ...(impliedBy[own] ?? [])].map(name => `${operation}/${name}`)
  switch (subject.kind) {
    case 'value': {
      if (isIntegerSpelling(subject.name)) return [...causes, `${operation} spelling`]
      const isNumber = subject.texts.every(text => /^-?\d/.test(text))
      const ofNumber = `${operation} number ${subject.location.place}`
      // -0 fails for its notation, or with 0 for its value.
      if (subject.name === 'negative-zero') return [...causes, `${ofNumber} zero`]
      if (isNumber) return [...causes, ofNumber, ...(subject.name === 'zero' ? [`${ofNumber} zero`] : [])]
      const kind = subject.name.startsWith('long-') ? 'long' : subject.name
      return [
        ...causes,
        `${operation} text ${kind}`,
        ...(beyondAscii.includes(kind) ? [`${operation} beyond-ascii`] : []),
      ]
    }
    case 'media':
      return [...causes, `${operation} media ${subject.isAccepted}`]
    case 'keyword':
      return subject.keyword === 'type' && (subject.detail === 'string' || subject.detail === 'numeral')
        ? [...causes, `${operation} ${subject.location.place} text for number`]
        : causes
    case 'response':
      if (subject.aspect === 'echo') return [...causes, `${operation} echo`]
      return ['schema', 'header', 'declared', 'challenge'].includes(subject.aspect)
        ? causes
        : [...causes, `${operation} ${subject.aspect}`]
    default:
      return causes
  }
}

/** Whether two obligations are about the same few alternatives. */
const areAlternatives = ({ subject: one }: Obligation, { subject: other }: Obligation): boolean => {
  if (one.kind !== 'value' && one.kind !== 'branch') return one.kind === other.kind
  return (
    one.kind === other.kind &&
    one.location.name === other.location.name &&
    one.location.place === other.location.place &&
    (one.kind !== 'branch' || (other.kind === 'branch' && one.keyword === other.keyword))
  )
}

/** One of a few alternatives has to be there, except for what goes with an optional property. */
const isExhaustive = ({ subject }: Obligation): boolean =>
  subject.kind !== 'branch' || subject.keyword !== 'dependentSchemas'

/** A list is there only with its property: if lists of other lengths are accepted, the length is the cause. */
export const isOfLength = ({ subject }: Obligation): boolean =>
  subject.kind === 'branch' && subject.keyword === 'items'

/**
 * The obligations of one cause, the one first that says most about it: what is not about one kind of request; what implies the
 * others; which properties are there, if that makes the difference (it `explains` all incidents); «any valid request» last.
 */
export const mostSpecificFirst = (
  members: readonly Obligation[],
  all: readonly Obligation[],
  passed: (id: string) => boolean,
  explains: (obligation: Obligation) => boolean,
): readonly Obligation[] => {
  const names = new Set(members.map(nameOf))
  const isImplied = (obligation: Obligation): boolean =>
    (impliedBy[nameOf(obligation)] ?? []).some(name => names.has(name))
  // If all alternatives fail, none of them is the cause.
  const isSpecific = (obligation: Obligation): boolean =>
    isOneOfFew(obligation.subject) &&
    explains(obligation) &&
    !(
      isExhaustive(obligation) &&
      all
        .filter(other => isOneOfFew(other.subject) && areAlternatives(other, obligation))
        .every(other => members.includes(other))
    )
  const hasValid = members.some(({ subject }) => subject.kind === 'valid')
  const rank = (obligation: Obligation): number => {
    const { subject, family, id } = obligation
    if (family === 'stability') return 0
    // A response that is wrong in itself leads, unless it only came along.
    if (family === 'response') return obligation === members[0] ? 1 : 6
    if (isImplied(obligation)) return 5
    if (isSpecific(obligation)) return passed(id) ? 4.5 : isOfLength(obligation) ? 1.5 : 2
    if (subject.kind === 'value' && !passed(id) && explains(obligation)) return 2.5
    if (isOneOfFew(subject) && hasValid && !explains(obligation)) return 4.2
    return subject.kind === 'valid' && members.length < 40 ? 4 : 3
  }
  return [...members].sort(
    (left, right) => rank(left) - rank(right) || all.indexOf(left) - all.indexOf(right),
  )
}

type Caused = {
  readonly obligations: readonly Obligation[]
  readonly key: string
  readonly signature: string
}

/** Merges what shares a cause and a signature; `join` adds the second to the first. */
export const mergeCauses = <T extends Caused>(
  rows: readonly T[],
  join: (into: T, other: T) => void,
): readonly T[] => {
  const merged: T[] = []
  // What MUST not fail shows a cause first: it is not told by a request of which the specifications only say SHOULD.
  const inOrder = rows.toSorted((left, right) => Number(isOfShould(left)) - Number(isOfShould(right)))
  const byName = new Map<string, T>()
  for (const row of inOrder) {
    const names = [row.key, ...causeNames(row, rows)].map(name => `${row.signature} ${name}`)
    const known = names.map(name => byName.get(name)).find(match => match !== undefined)
    if (known === undefined) merged.push(row)
    else join(known, row)
    for (const name of names) byName.set(name, known ?? row)
  }
  return merged
}

const isOfShould = ({ obligations }: Caused): boolean => obligations.every(({ level }) => level !== 'MUST')

/** This many kinds of text beyond ASCII have to fail alike to have one cause. */
const fewestKinds = 4

// One kind of them that fails may be a fault by itself.
const causeNames = (row: Caused, rows: readonly Caused[]): readonly string[] => {
  // Who lets in without credentials lets in with any of these; but each of them may also be a fault by itself.
  const isOpen = rows.some(
    ({ signature, obligations }) =>
      signature === row.signature && obligations.some(each => nameOf(each) === 'auth/absent'),
  )
  const ofOpen = new Set(row.obligations.map(({ operation }) => `${operation}/auth/absent`))
  const names = row.obligations.flatMap(causesOf).filter(name => isOpen || !ofOpen.has(name))
  const isBeyondAscii = (name: string): boolean => name.endsWith(' beyond-ascii')
  const alike = rows.filter(
    ({ signature, obligations }) =>
      signature === row.signature && obligations.flatMap(causesOf).some(isBeyondAscii),
  )
  const kinds = new Set(
    alike.flatMap(({ obligations }) =>
      obligations.flatMap(({ subject }) => (subject.kind === 'value' ? [subject.name] : [])),
    ),
  )
  return kinds.size >= fewestKinds ? names : names.filter(name => !isBeyondAscii(name))
}
