import {
  asNode,
  type Contract,
  deriveObligations,
  findingsByObligation,
  isOfBody,
  type Ledger,
  locationText,
  type Obligation,
  operationContext,
  type Pointer,
  placeOf,
  placesOf,
  valueAt,
} from '../../spec/index.ts'
import { type Found, isServerError, type Suggestion, sentIn } from './suggestion.ts'

/** A limit that would explain which kinds of values are rejected; null if it explains none. */
type Limit = {
  readonly keyword: string
  readonly explains: readonly string[]
  /** Kinds that have to be accepted, or the limit says too much. */
  readonly accepted: readonly [string, ...string[]]
  readonly value: unknown
}

/** From the widest to the narrowest. Beyond a range of integers there are negative ones as well. */
const limits: readonly Limit[] = [
  { keyword: 'maxLength', explains: ['long-65536'], accepted: ['long-4096'], value: 4096 },
  { keyword: 'maxLength', explains: ['long-4096', 'long-65536'], accepted: ['long-256'], value: 256 },
  {
    keyword: 'maxLength',
    explains: ['long-256', 'long-4096', 'long-65536'],
    accepted: ['long-255'],
    value: 255,
  },
  { keyword: 'minLength', explains: ['empty'], accepted: ['ascii'], value: 1 },
  { keyword: 'pattern', explains: ['blank'], accepted: ['ascii'], value: '\\S' },
  { keyword: 'pattern', explains: ['nul'], accepted: ['ascii'], value: '^[^\\u0000]*$' },
  { keyword: 'minimum', explains: ['minus-one'], accepted: ['zero'], value: 0 },
  { keyword: 'minimum', explains: ['zero', 'minus-one'], accepted: ['one'], value: 1 },
  {
    keyword: 'maximum',
    explains: ['past-int32'],
    accepted: ['int32-max', 'minus-one'],
    value: 2_147_483_647,
  },
  {
    keyword: 'maximum',
    explains: ['past-safe'],
    accepted: ['safe-max', 'minus-one'],
    value: Number.MAX_SAFE_INTEGER,
  },
]

/** The limits of values that a server shows by what it rejects, and the document does not have. */
export const limitSuggestions = (
  contract: Contract,
  ledger: Ledger,
  found: readonly Found[],
): readonly Suggestion[] => {
  const rejected = new Set(
    found.flatMap(({ finding, obligation: { operation, subject } }) =>
      subject.kind === 'value' && !isServerError(finding) ? [operation] : [],
    ),
  )
  const operations = contract.operations.filter(({ id }) => rejected.has(id))
  const passed = new Set(
    ledger.entries.flatMap(({ obligation: { id }, verdict }) => (verdict.kind === 'passed' ? [id] : [])),
  )
  const failed = findingsByObligation(ledger.findings)
  return [...deriveObligations(contract, 'declared', operations)].flatMap(obligations =>
    [...Map.groupBy(obligations.filter(isOfValue), placeOfValue).values()].flatMap(alike =>
      limitsOf(contract, alike, passed, failed),
    ),
  )
}

type OfValue = Obligation & { readonly subject: Extract<Obligation['subject'], { kind: 'value' }> }

const isOfValue = (obligation: Obligation): obligation is OfValue => obligation.subject.kind === 'value'

const placeOfValue = ({ subject: { location } }: OfValue): string => locationText(location)

/** The limits of one place, by what came of the kinds of values there. */
const limitsOf = (
  contract: Contract,
  kinds: readonly OfValue[],
  passed: ReadonlySet<string>,
  failed: ReturnType<typeof findingsByObligation>,
): readonly Suggestion[] => {
  const byName = new Map(kinds.map(each => [each.subject.name, each]))
  const [any] = kinds
  const root = any === undefined ? null : schemaOf(contract, any)
  if (root === null || any === undefined) return []
  const taken = new Set(Object.keys(asNode(valueAt(contract.document, root))))
  return limits.flatMap(({ keyword, explains, accepted, value }): readonly Suggestion[] => {
    const rejections = explains.map(name => failed.get(byName.get(name)?.id ?? '')?.[0])
    // What is rejected for want of something else says nothing of the value.
    const known = rejections.filter(
      finding => finding !== undefined && !isServerError(finding) && finding.requires === undefined,
    )
    const [first] = known
    if (first === undefined || known.length < explains.length || taken.has(keyword)) return []
    if (!accepted.every(name => passed.has(byName.get(name)?.id ?? ''))) return []
    taken.add(keyword)
    const status = first.outcome.kind === 'response' ? first.outcome.status : null
    return [
      {
        pointer: root,
        update: { [keyword]: value },
        evidence: `${sentIn(first)} was answered ${status} to ${byName.get(explains[0] ?? '')?.input ?? 'such values'}, and accepted ${byName.get(accepted[0])?.input ?? 'others'}.`,
        findings: [...new Set(known.flatMap(finding => finding?.id ?? []))],
      },
    ]
  })
}

/** The schema that a value has to fit; null if several say something of it. */
const schemaOf = (contract: Contract, { subject: { location }, operation: id }: OfValue): Pointer | null => {
  const operation = contract.operations.find(each => each.id === id)
  if (operation === undefined) return null
  const parameter = operation.parameters.find(
    ({ name, in: part }) => name === location.name && part === location.in,
  )
  const root = isOfBody(location)
    ? operationContext(contract, operation).body?.root
    : parameter?.schema == null
      ? undefined
      : placesOf(contract.document, parameter.schema)
  const schemas = root === undefined ? [] : (placeOf(root, location.place)?.schemas ?? [])
  return schemas.find(schema => asNode(valueAt(contract.document, schema)).type !== undefined) ?? null
}
