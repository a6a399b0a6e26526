import type { Contract, Operation } from '../../spec/index.ts'
import {
  type Counterexample,
  createPairs,
  createSide,
  type Pair,
  type Search,
  type Side,
} from './counterexample.ts'
import type { Difference, DifferenceLevel, Evolution, EvolvedDocument, UndecidedPart } from './difference.ts'
import { type Found, grouped, matchOperations } from './match-operations.ts'
import { counterpart, placeAt, rulePointer, touchOf, wholeOperation } from './places.ts'
import { requestCounterexamples } from './request-counterexamples.ts'
import { responseCounterexamples } from './response-counterexamples.ts'
import { structureOf } from './structure.ts'

export type EvolveOptions = {
  /** The same seed finds the same examples. */
  readonly seed: number
  /** The level of what an old server does with clients of the new document; null: it is not looked at. */
  readonly oldServers: 'breaking' | 'risky' | null
}

/** What old clients, and old servers, meet when a document takes the place of another one. */
export const compareContracts = async (
  old: Contract,
  now: Contract,
  options: EvolveOptions,
): Promise<Evolution> => {
  const matched = matchOperations(old, now)
  const forward = createPairs(old, now, options.seed)
  const backward = createPairs(now, old, options.seed)
  const differences: Found[] = [
    ...matched.gone.map(operation => ofOperation(old, operation, 'gone')),
    ...matched.added.map(operation => ofOperation(now, operation, 'added')),
  ]
  const origins = new Map<Found, string>()
  const sharing: Sharing[] = []
  const undecided: UndecidedPart[] = matched.unusable.map(({ operation, contract, reason }) => ({
    operation,
    subject: `the operation in ${contract.source}`,
    reason,
    place: null,
  }))
  for (const [before, after] of matched.pairs) {
    const [one, other] = [createSide(old, before), createSide(now, after)]
    const searches = [
      { search: requestCounterexamples, pair: forward(one, other), concerns: 'old-clients' },
      { search: responseCounterexamples, pair: backward(other, one), concerns: 'old-clients' },
      ...(options.oldServers === null
        ? []
        : ([
            { search: requestCounterexamples, pair: backward(other, one), concerns: 'old-servers' },
            { search: responseCounterexamples, pair: forward(one, other), concerns: 'old-servers' },
          ] as const)),
    ] as const
    differences.push(...structural(one, other))
    for (const { search, pair, concerns } of searches) {
      const found = await search(pair)
      const part = search === requestCounterexamples ? 'request' : 'response'
      sharing.push(
        ...found.shared.map(origin => ({ origin, concerns, part, operation: nameOf(before) }) as const),
      )
      for (const counterexample of found.counterexample) {
        const difference = differenceOf(counterexample, pair, concerns, one, options)
        differences.push(difference)
        if (counterexample.origin !== null) origins.set(difference, counterexample.origin)
      }
      undecided.push(...undecidedOf(found, one))
    }
  }
  return {
    old: documentOf(old),
    new: documentOf(now),
    operations: matched.pairs.length,
    differences: grouped(differences.map(each => withSharing(each, origins.get(each), sharing))),
    undecided: [...new Map(undecided.map(each => [JSON.stringify(each), each])).values()],
  }
}

/** An operation with a pair of schemas whose difference another operation has shown. */
type Sharing = Pick<Difference, 'concerns' | 'part'> & { readonly origin: string; readonly operation: string }

const withSharing = (difference: Found, origin: string | undefined, sharing: readonly Sharing[]): Found => {
  const { concerns, part } = difference
  const others = sharing
    .filter(each => each.origin === origin && each.concerns === concerns && each.part === part)
    .map(({ operation }) => operation)
  return {
    ...difference,
    operations: [...difference.operations, ...others],
    touches: [...difference.touches, ...others.map(wholeOperation)],
  }
}

const documentOf = ({ source, title, version }: Contract): EvolvedDocument => ({ source, title, version })

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`

const unjudged = { place: null, violated: null }

const ofOperation = (contract: Contract, operation: Operation, kind: 'gone' | 'added'): Found => {
  const outcome = { place: contract.place(operation.pointer), violated: null }
  return {
    level: kind === 'gone' ? 'breaking' : 'safe',
    concerns: 'old-clients',
    part: 'operation',
    operations: [nameOf(operation)],
    touches: [wholeOperation(nameOf(operation))],
    message: kind === 'gone' ? 'the operation is gone' : 'the operation is new',
    witness: null,
    requirement: null,
    subject: null,
    old: kind === 'gone' ? outcome : unjudged,
    new: kind === 'gone' ? unjudged : outcome,
  }
}

const structural = (old: Side, now: Side): readonly Found[] =>
  structureOf(old, now).map(({ level, part, message, ...at }) => ({
    level,
    concerns: 'old-clients',
    part,
    operations: [nameOf(old.operation)],
    touches: [wholeOperation(nameOf(old.operation))],
    message,
    witness: null,
    requirement: null,
    subject: null,
    old: { place: placeAt(old.contract, at.old), violated: null },
    new: { place: placeAt(now.contract, at.new), violated: null },
  }))

const differenceOf = (
  counterexample: Counterexample,
  { from, to }: Pair,
  concerns: Difference['concerns'],
  old: Side,
  options: EvolveOptions,
): Found => {
  const allowing = { place: placeAt(from.contract, counterpart(from, counterexample)), violated: [] }
  const ruling = {
    place: placeAt(to.contract, rulePointer(to, counterexample)),
    violated: counterexample.violated,
  }
  return {
    level: levelOf(counterexample, to, concerns, options),
    concerns,
    part: counterexample.part,
    operations: [nameOf(old.operation)],
    touches: [touchOf(nameOf(old.operation), counterexample)],
    message: messageOf(counterexample, concerns),
    witness: counterexample.witness,
    requirement: counterexample.requirement,
    subject: counterexample.subject,
    ...(from === old ? { old: allowing, new: ruling } : { old: ruling, new: allowing }),
  }
}

const levelOf = (
  { requirement, subject, status }: Counterexample,
  to: Side,
  concerns: Difference['concerns'],
  { oldServers }: EvolveOptions,
): DifferenceLevel => {
  if (concerns === 'old-servers' && oldServers !== 'breaking') return 'risky'
  // Clients have to expect any failure, but none is read that they do not know.
  const isUndeclared = subject.kind === 'response' && subject.aspect === 'declared'
  if (isUndeclared && status !== null && status >= 400) return 'risky'
  return to.requirement(requirement)?.level === 'SHOULD' ? 'risky' : 'breaking'
}

const undecidedOf = ({ undecided }: Search, { contract, operation }: Side): readonly UndecidedPart[] =>
  undecided.map(each => ({ ...each, operation: nameOf(operation), place: contract.place(operation.pointer) }))

/** Longer examples are not part of a sentence. */
const longest = 120

/** What has changed, as one sentence. */
const messageOf = (counterexample: Counterexample, concerns: Difference['concerns']): string => {
  const { part, status, subject, reason } = counterexample
  const isOld = concerns === 'old-clients'
  const shown = counterexample.witness.length <= longest ? `\`${counterexample.witness}\`` : 'a body'
  if (part === 'request')
    return isOld
      ? `${shown} was valid and is rejected: ${reason}`
      : `${shown} is valid, and an old server rejects it: ${reason}`
  const [server, document] = isOld ? ['a server', 'the old document'] : ['an old server', 'the new document']
  const aspect = subject.kind === 'response' ? subject.aspect : null
  if (aspect === 'declared' || aspect === 'content-type')
    return `${server} may answer ${counterexample.witness}, and ${document} declares ${reason.replace(/^a declared status: |^Content-Type /, '')} only`
  if (aspect === 'header' && reason.startsWith('the header ') && !reason.includes(' must '))
    return `${server} may answer ${counterexample.witness} without ${reason}, which ${document} requires`
  const answer = aspect === 'header' ? counterexample.witness : `${status} with ${shown}`
  return `${server} may answer ${answer}, which ${document} rules out: ${reason}`
}
