import { type Contract, obligationsOf } from '../spec/index.ts'
import type { Entry, Journal } from './journal.ts'

/** What a client broke of the contract by one request. */
export type Broken = {
  /** The id of the obligation; of a request that is not declared, its method and path: `GET /unknown`. */
  readonly name: string
  /** Why, in the words of the answer. */
  readonly reason: string
  readonly request: Entry
}

/** Collects what clients break of the contract while the mock answers them. */
export type Watch = {
  /** All that was broken so far and is not allowed. */
  readonly broken: () => readonly Broken[]
  /** Lets clients break what has one of these names, or a name below one of them: `createPlant/request/body`. */
  readonly allow: (...names: readonly string[]) => void
  /** Throws DriftError where something was broken that is not allowed. */
  readonly check: () => void
  readonly stop: () => void
}

/** A client does not keep to the contract; the message has each breach with its reason and what was sent. */
export class DriftError extends Error {
  override readonly name = 'DriftError'

  constructor(message: string) {
    super(message)
    // Where it is noticed is no place of the client, and test runners would show the code of it.
    this.stack = `DriftError: ${message}`
  }
}

/**
 * Watches the requests of a mock from now on.
 *
 * @example
 * const watch = createWatch(handler)
 * afterEach(() => watch.check())
 */
export const createWatch = ({
  contract,
  journal,
}: {
  readonly contract: Contract
  readonly journal: Journal
}): Watch => {
  const seen: Broken[] = []
  const allowed: string[] = []
  const isAllowed = ({ name }: Broken): boolean =>
    allowed.some(each => name === each || name.startsWith(`${each}/`))
  const broken = (): readonly Broken[] => seen.filter(each => !isAllowed(each))
  return {
    broken,
    allow: (...names) => void allowed.push(...names),
    check: () => {
      const found = broken()
      if (found.length > 0) throw new DriftError(tell(contract, found))
    },
    stop: journal.listen(entry => seen.push(...breaksOf(entry))),
  }
}

const breaksOf = (request: Entry): readonly Broken[] =>
  request.operation === null
    ? [{ name: `${request.method} ${pathOf(request)}`, reason: reasonOf(request), request }]
    : request.breaches.map(({ id, message }) => ({ name: id, reason: message, request }))

const pathOf = ({ target }: Entry): string => target.split(/[?#]/)[0] ?? ''

const reasonOf = ({ status }: Entry): string =>
  status === 405 ? 'no such method is declared on this path' : 'no such path is declared'

const tell = (contract: Contract, found: readonly Broken[]): string => {
  const promises = new Map(obligationsOf(contract).map(({ id, promise }) => [id, promise]))
  const told = found.map(({ name, reason, request }, index) =>
    [
      `${index + 1}. ${name}: ${reason}`,
      `   ${request.method} ${request.target} was answered ${request.status}`,
      ...(promises.has(name) ? [`   promised: ${promises.get(name)}`] : []),
      ...(request.body === null || request.body.length === 0 ? [] : [`   sent: ${shown(request.body)}`]),
    ].join('\n'),
  )
  const times = found.length === 1 ? 'once' : `${found.length} times`
  return `the client broke the contract ${times}\n\n${told.join('\n')}\n\nWhere this is meant: allow(${quoted(found)})`
}

const quoted = (found: readonly Broken[]): string =>
  [...new Set(found.map(({ name }) => `'${name.replaceAll("'", "\\'")}'`))].join(', ')

const mostShown = 400

const shown = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body.subarray(0, mostShown))
  return body.length > mostShown ? `${text}… (${body.length} bytes)` : text
}
