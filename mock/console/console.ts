import {
  type Contract,
  header,
  type Obligation,
  type Operation,
  obligationsOf,
  type Unauthenticated,
} from '../../spec/index.ts'
import type { Inside } from '../build.ts'
import type { Composed } from '../compose.ts'
import type { MockRequest } from '../engine.ts'
import { type OwnRoutes, ownJson, ownPrefix, ownText } from '../own.ts'
import { libraryText, pageFile } from './assets.ts'
import { eventStream } from './events.ts'
import { detailOf, summaryOf } from './exchange.ts'
import { samplesOf } from './samples.ts'
import { createMask } from './secrets.ts'
import { createExercise } from './seen.ts'
import type { Outline } from './shape.ts'
import { lineOf, sheetOf } from './sheet.ts'
import { shell } from './shell.ts'

/** The console at `/__plantstore/`: its page, and what it shows as JSON. */
export const consoleRoutes = (options: Inside): OwnRoutes => {
  const { contract, desk, journal, tokens, unauthenticated, run } = options
  const mask = createMask(contract)
  const obligations = createObligations(contract, unauthenticated)
  const exercise = createExercise({ contract, desk, journal, tokens, policy: unauthenticated, obligations })
  const operationOf = (id: string | null): Operation | undefined =>
    contract.operations.find(operation => operation.id === id)
  // An operation's id may have slashes in it.
  const ofOperation = async (
    parts: readonly string[],
    tell: (operation: Operation, own: readonly Obligation[]) => unknown,
  ): Promise<Composed> => {
    const operation = operationOf(parts.join('/'))
    return operation === undefined
      ? ownJson({ message: `there is no operation ${parts.join('/')}` }, 404)
      : ownJson(await tell(operation, obligations(operation)))
  }
  return {
    'GET /': ({ target }) =>
      target.split('?')[0] === ownPrefix ? moved(`${ownPrefix}/`) : shell(contract.title),
    'GET /page': (_request, [name = '']) => pageFile(name),
    'GET /library': (_request, [name = '']) => libraryText(name),
    'GET /events': request => ({
      status: 200,
      headers: [
        ['Content-Type', 'text/event-stream'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: new Uint8Array(),
      stream: eventStream(journal, run, header(request.headers, 'last-event-id'), entry =>
        summaryOf(mask, entry),
      ),
    }),
    'GET /requests': (request, [number]) => {
      if (number === undefined) return ownJson(journal.entries().map(entry => summaryOf(mask, entry)))
      const entry = journal.entries().find(own => String(own.number) === number)
      if (entry === undefined) return ownJson({ message: `request ${number} is not held any more` }, 404)
      const operation = operationOf(entry.operation)
      const own = operation === undefined ? [] : obligations(operation)
      return ownJson(detailOf(mask, contract, own, entry, originOf(request)))
    },
    'DELETE /requests': () => {
      journal.clear()
      exercise.clear()
      return { status: 204, headers: [], body: new Uint8Array() }
    },
    'GET /seen': () => ownJson(exercise.seen()),
    'GET /contract': (_request, parts) =>
      parts.length === 0
        ? ownJson(outlineOf(options))
        : ofOperation(parts, (operation, own) => sheetOf(contract, operation, own)),
    'GET /samples': (_request, parts) =>
      ofOperation(parts, (operation, own) => {
        const token = tokens?.[0] ?? anyToken
        return samplesOf({ contract, desk, policy: unauthenticated, operation, obligations: own, token })
      }),
  }
}

const anyToken = 'any-token'

/** The obligations of one operation at a time: a contract may have a thousand. */
const createObligations = (
  contract: Contract,
  policy: Unauthenticated,
): ((operation: Operation) => readonly Obligation[]) => {
  const known = new Map<Operation, readonly Obligation[]>()
  return operation => {
    const own = known.get(operation) ?? obligationsOf({ ...contract, operations: [operation] }, policy)
    known.set(operation, own)
    return own
  }
}

const outlineOf = ({ contract, tokens, unauthenticated }: Inside): Outline => ({
  title: contract.title,
  version: contract.version,
  openapi: contract.openapi,
  source: contract.source,
  description: String((contract.document.info as { description?: string }).description ?? ''),
  anyToken: tokens === null,
  unauthenticated,
  operations: contract.operations.map(lineOf),
})

const moved = (location: string): Composed => ({
  ...ownText(308, `the console is at ${location}`),
  headers: [['Location', location]],
})

/** Where the page reaches the mock, as it says itself; behind TLS only it knows. */
const originOf = ({ target, headers }: MockRequest): string => {
  const asked = new URLSearchParams(target.split('?')[1] ?? '').get('origin')
  return asked !== null && /^https?:\/\/[^\s/]+$/.test(asked)
    ? asked
    : `http://${header(headers, 'host') ?? 'localhost'}`
}
