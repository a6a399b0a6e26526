import {
  type Contract,
  createRouter,
  dangerOf,
  type HttpRequest,
  mayEndAccess,
  type Obligation,
  type Operation,
  requestPatterns,
  type Selection,
  sentBy,
  type UntestedReason,
} from '../../spec/index.ts'
import type { Rules } from './run-options.ts'

/** An operation that may destroy what a run did not create, and why that is to be feared. */
export type Destructive = Pick<Operation, 'id' | 'method' | 'path'> & { readonly danger: string }

/** Operations that a run leaves out whatever its patterns of obligations select, by id, and why. */
export type Withheld = ReadonlyMap<string, WithheldOperation>
type WithheldOperation = { readonly untested: UntestedReason; readonly destructive: Destructive | null }

/** The rules that say which requests may be sent. */
export type GateRules = Pick<Rules, 'never' | 'include' | 'named' | 'stateless'>

/** What an operation may destroy that the run did not create; null if nothing says so. */
export const dangerIn = (
  contract: Contract,
  operation: Operation,
  { named, stateless }: GateRules,
): string | null =>
  dangerOf(contract, operation, {
    isNamed: parameter => named.includes(`*.${parameter}`),
    isStateless: stateless,
  })

/**
 * The operations that `never` names, and those that may destroy what the run did not create, unless `include` or a fixture names them. What may end
 * the access of the run, or close the service, has to be named by itself: `*` is not enough. Throws SelectionError if a pattern names no operation.
 */
export const withheldOperations = (contract: Contract, rules: GateRules): Withheld => {
  const { never, include, named } = rules
  const refused = requestPatterns(contract, never, '--never')
  const wanted = requestPatterns(contract, include, '--include')
  const isWanted = (operation: Operation): boolean =>
    wanted.some(
      ({ text, matchesOperation }) =>
        matchesOperation(operation) && (text !== '*' || !mayEndAccess(contract, operation)),
    ) || operation.parameters.some(({ name }) => named.includes(`${operation.id}.${name}`))
  const found: (readonly [string, WithheldOperation])[] = []
  for (const operation of contract.operations) {
    const { id, method, path } = operation
    const by = refused.find(pattern => pattern.matchesOperation(operation))
    if (by !== undefined) {
      const reason = `--never '${by.text}' leaves it out`
      found.push([id, { untested: { cause: 'selection', reason }, destructive: null }])
      continue
    }
    const danger = dangerIn(contract, operation, rules)
    if (danger === null || isWanted(operation)) continue
    const reason = `${method} ${path} may destroy what the run did not create (${danger}): send it with --include '${method} ${path}'`
    found.push([id, { untested: { cause: 'selection', reason }, destructive: { id, method, path, danger } }])
  }
  return new Map(found)
}

/** Says why a request is not to be sent; null if it may be. Everything that a run sends has to ask it first. */
export type Gate = (request: HttpRequest) => string | null

const isAboutWebhook = (contract: Contract, { subject, operation: id }: Obligation): boolean =>
  subject.kind === 'callback' &&
  contract.operations
    .filter(operation => operation.id === id)
    .flatMap(operation => sentBy(contract, operation))
    .some(({ name, isWebhook }) => isWebhook && name === subject.callback)

/**
 * Refuses the requests of operations of which nothing is selected, and those that `never` names, whatever case or step they belong to: what is
 * left out must not be sent to prepare, to confirm or to compare either. What only `only` leaves out is sent for others if `include` names
 * it. `isKept`: whether `skip` leaves an obligation.
 */
export const createGate = (
  contract: Contract,
  rules: GateRules,
  withheld: Withheld,
  obligations: readonly Obligation[],
  { isSelected, isKept }: { readonly isSelected: Selection; readonly isKept: Selection },
): Gate => {
  const operationsOf = (is: Selection): ReadonlySet<string> =>
    new Set(obligations.flatMap(({ id, operation }) => (is(id) ? [operation] : [])))
  const kept = operationsOf(isKept)
  const wanted = requestPatterns(contract, rules.include, '--include')
  // A webhook comes after requests of any other operation.
  const isOfWebhook = obligations.some(
    obligation => isAboutWebhook(contract, obligation) && isSelected(obligation.id),
  )
  const helping = contract.operations.filter(
    operation =>
      kept.has(operation.id) &&
      !withheld.has(operation.id) &&
      (isOfWebhook || wanted.some(pattern => pattern.matchesOperation(operation))),
  )
  const open = new Set([...operationsOf(isSelected), ...helping.map(({ id }) => id)])
  const patterns = requestPatterns(contract, rules.never, '--never')
  if (patterns.length === 0 && contract.operations.every(({ id }) => open.has(id))) return () => null
  const route = createRouter(contract)
  const refusal = (method: string, target: string): string | null => {
    const path = target.replace(/[?#].*$/s, '')
    const by = patterns.find(pattern => pattern.matchesRequest(method, path))
    if (by !== undefined) return `${method} ${path} is not sent: --never ${by.text} leaves it out`
    const found = route(method, path)
    if (found.kind !== 'operation' || open.has(found.operation.id)) return null
    const { id } = found.operation
    if (withheld.has(id)) return withheld.get(id)?.untested.reason ?? null
    return kept.has(id)
      ? `${id} is left out by --only, and sent only with --include ${id}`
      : `${id} is left out by --skip, so it is not sent`
  }
  return ({ method, target, raw }) => {
    const lines = raw === undefined ? [[method, target] as const] : requestLines(raw.pieces.join(''))
    for (const [of, at] of lines) {
      const reason = refusal(of, at)
      if (reason !== null) return reason
    }
    return null
  }
}

/** Every method and target in raw bytes that a lenient server may take for the beginning of a request. */
const requestLines = (bytes: string): readonly (readonly [method: string, target: string])[] =>
  [...bytes.matchAll(requestLine)].map(
    ([, method = '', target = '']) => [method.toUpperCase(), target] as const,
  )

const requestLine = /(?<![A-Za-z])([A-Za-z]+)[ \t]+(?:https?:\/\/[^/\s]*|(?:\{\{[a-z-]+\}\})*)(\/[^\s]*)/g
