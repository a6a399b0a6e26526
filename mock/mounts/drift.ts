import { type Contract, obligationsOf, whereText } from '../../spec/index.ts'
import { DriftError } from '../errors.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'

/** How one request of a client broke the contract. */
export type Drift = {
  /**
   * The id of the obligation; for an undeclared request, its method and path: `GET /unknown`; for an answer of the user's own
   * that breaks the contract, `getThing/answer`.
   */
  readonly name: string
  /** The reason, in the words of the response. */
  readonly reason: string
  readonly request: Entry
}

/** Collects how clients break the contract while the mock responds to them. */
export type Watch = {
  /** All that was broken so far and is not allowed. */
  readonly broken: () => readonly Drift[]
  /**
   * Allows clients to break what has one of these names, or a name below one of them (`createThing/request/body`), until the
   * next `check` or `reset`.
   */
  readonly allow: (...names: readonly string[]) => void
  /** Throws DriftError if something was broken that is not allowed. Either way it begins anew, as `reset` does. */
  readonly check: () => void
  /** Forgets what was broken so far, and what `allow` allowed: the next test is not told of this one. */
  readonly reset: () => void
  readonly stop: () => void
}

export type WatchOptions = {
  /** Names that are allowed in all tests. Default: none. */
  readonly allow?: readonly string[] | undefined
}

/**
 * Watches the requests of a mock from now on.
 *
 * @example
 * const watch = createWatch(handler)
 * afterEach(() => watch.check())
 */
export const createWatch = (
  mount: { readonly contract: Contract; readonly journal: Journal },
  { allow = [] }: WatchOptions = {},
): Watch => {
  let all: Drift[] = []
  let allowed: string[] = [...allow]
  const isAllowed = ({ name }: Drift): boolean =>
    allowed.some(each => name === each || name.startsWith(`${each}/`))
  const broken = (): readonly Drift[] => all.filter(each => !isAllowed(each))
  const reset = (): void => {
    all = []
    allowed = [...allow]
  }
  return {
    broken,
    allow: (...names) => void allowed.push(...names),
    check: () => {
      const found = broken()
      reset()
      if (found.length > 0) throw new DriftError(messageOf(mount.contract, found))
    },
    reset,
    stop: mount.journal.listen(entry => all.push(...driftsIn(entry))),
  }
}

const driftsIn = (request: Entry): readonly Drift[] => {
  const { operation, violations, answerProblem } = request
  if (operation === null)
    return [{ name: `${request.method} ${pathOf(request)}`, reason: undeclared(request), request }]
  const ofAnswer = { name: answerName(request), reason: answerProblem ?? '', request }
  return [
    ...violations.map(({ id, message }) => ({ name: id, reason: message, request })),
    ...(answerProblem === null ? [] : [ofAnswer]),
  ]
}

const answerName = ({ operation }: Entry): string => `${operation}/answer`

const pathOf = ({ target }: Entry): string => target.split(/[?#]/)[0] ?? ''

const undeclared = ({ status }: Entry): string =>
  status === 405 ? 'this path does not declare the method' : 'the path is not declared'

const messageOf = (contract: Contract, found: readonly Drift[]): string => {
  const obligations = new Map(obligationsOf(contract).map(obligation => [obligation.id, obligation]))
  const requirementLines = (name: string): readonly string[] => {
    const { requirement, clause } = obligations.get(name) ?? {}
    return clause === undefined
      ? []
      : [`   requirement: ${requirement}`, `   document: ${whereText(clause.place)}`]
  }
  const items = found.map(({ name, reason, request }, index) =>
    [
      `${index + 1}. ${name}: ${reason}`,
      `   request: ${request.method} ${request.target}, answered ${request.status}`,
      ...requirementLines(name),
      ...(request.body === null || request.body.length === 0 ? [] : [`   body: ${shown(request.body)}`]),
    ].join('\n'),
  )
  const times = found.length === 1 ? 'once' : `${found.length} times`
  const ofAnswers = found.filter(isOfAnswer).length
  const who =
    ofAnswers === 0
      ? 'the client'
      : ofAnswers === found.length
        ? 'an answer of the mock'
        : 'the client or an answer of the mock'
  return `${who} broke the contract ${times}\n\n${items.join('\n')}\n\nIf this is intended: allow(${quoted(found)})`
}

const isOfAnswer = ({ name, request }: Drift): boolean => name === answerName(request)

const quoted = (found: readonly Drift[]): string =>
  [...new Set(found.map(({ name }) => `'${name.replaceAll("'", "\\'")}'`))].join(', ')

const maxShown = 400

const shown = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body.subarray(0, maxShown))
  return body.length > maxShown ? `${text}… (${body.length} bytes)` : text
}
