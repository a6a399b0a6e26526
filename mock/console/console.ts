import { asNode, header, isBelow, isObject, type ObligationPath, pathOf, readJson } from '../../spec/index.ts'
import type { MockState } from '../admin/mock-state.ts'
import { type AdminRoutes, jsonResponse, textResponse } from '../admin/routes.ts'
import { adminPrefix } from '../documents/documents.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { MockRequest } from '../engine/request.ts'
import { memoize } from '../memo.ts'
import { shownViolations } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { libraryFile, pageDocument, pageFile } from './assets.ts'
import { editableRequestOf } from './code-snippets.ts'
import { createCoverage, exercisedBy, type JudgeOptions, readAgain } from './coverage.ts'
import { eventStream } from './events.ts'
import { exchangeDetailsOf, exchangeSummaryOf } from './exchange.ts'
import type {
  ContractSummary,
  ExchangeDetails,
  FieldTexts,
  FilledHead,
  Violation,
  ViolationDetails,
} from './messages.ts'
import { inOrderOfTags, operationDetailsOf, operationSummaryOf, placeText } from './operation-details.ts'
import { fieldTexts, filledHead, likeOf } from './samples/sample-request.ts'
import { samplesOf } from './samples/samples.ts'
import { type Catalog, catalogOf, type ServedOperation } from './served-operations.ts'
import { createUsage } from './usage.ts'

/** The routes of the console below `/__plantstore/`: its page, and the JSON that the page shows. */
export const consoleRoutes = (options: MockState): AdminRoutes => {
  const { documents, journal, tokens, unauthenticated, run } = options
  const catalog = memoize(documents, current => catalogOf(current, unauthenticated))
  const coverage = createCoverage({
    operationOf: id => catalog().operations.get(id),
    journal,
    tokens,
    unauthenticated,
  })
  const usage = createUsage(journal, id => catalog().operations.get(id))
  // Operation ids may contain slashes.
  const withOperation = async (
    segments: readonly string[],
    messageOf: (served: ServedOperation) => unknown,
  ): Promise<MockResponse> => {
    const served = catalog().operations.get(segments.join('/'))
    return served === undefined
      ? jsonResponse({ message: `there is no operation ${segments.join('/')}` }, 404)
      : jsonResponse(await messageOf(served))
  }
  return {
    'GET /': ({ target }) =>
      target.split('?')[0] === adminPrefix
        ? redirect(`${adminPrefix}/`)
        : pageDocument(catalog().first.title, options.forward === null ? 'mock' : 'proxy'),
    'GET /page': (_request, segments) => pageFile(segments.join('/')),
    'GET /library': (_request, [name = '']) => libraryFile(name),
    'GET /events': request => ({
      status: 200,
      headers: [
        ['Content-Type', 'text/event-stream'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: new Uint8Array(),
      stream: eventStream(journal, run, header(request.headers, 'last-event-id'), entry =>
        exchangeSummaryOf(catalog().mask, entry),
      ),
    }),
    'GET /requests': (request, [number]) => {
      const { mask, operations } = catalog()
      if (number === undefined)
        return jsonResponse(journal.entries().map(entry => exchangeSummaryOf(mask, entry)))
      const entry = journal.entries().find(entry => String(entry.number) === number)
      if (entry === undefined) return jsonResponse({ message: `request ${number} is no longer kept` }, 404)
      const details = exchangeDetailsOf(mask, entry, originOf(request))
      const served = operations.get(entry.operation ?? '')
      const violations = details.summary.violations.map(violation =>
        violationDetailsOf(violation, entry, served, { tokens, unauthenticated }),
      )
      const editable = editableRequestOf(mask, entry)
      // Of the masked request: what the form shows has no credentials.
      const masked = editable === null ? {} : { target: editable.target, headers: editable.headers }
      const read = served === undefined ? null : readAgain(served, { ...entry, ...masked })
      const parameters = read?.parameters ?? {}
      return jsonResponse({
        ...details,
        violations,
        editable: editable === null ? null : { ...editable, fields: fieldTexts(parameters) },
        like: served === undefined ? null : likeOf(served.operation, parameters),
      } satisfies ExchangeDetails)
    },
    'DELETE /requests': () => {
      journal.clear()
      coverage.clear()
      usage.clear()
      return { status: 204, headers: [], body: new Uint8Array() }
    },
    'GET /coverage': () => jsonResponse(coverage.report()),
    'GET /usage': () => jsonResponse(usage.report()),
    'GET /contract': (_request, segments) =>
      segments.length === 0
        ? jsonResponse(contractSummaryOf(catalog(), options))
        : withOperation(segments, operationDetailsOf),
    'POST /samples': ({ body }, segments) =>
      withOperation(segments, ({ contract, operation, prefix }): FilledHead => {
        const head = filledHead(contract, operation, textsIn(body))
        return { ...head, target: prefix + head.target }
      }),
    'GET /samples': (_request, segments) =>
      withOperation(segments, async served => {
        const token = tokens?.[0] ?? 'any-token'
        const samples = await samplesOf({
          ...served,
          obligations: served.obligations(),
          unauthenticated,
          token,
        })
        return samples.map(sample => ({ ...sample, target: served.prefix + sample.target }))
      }),
  }
}

const contractSummaryOf = (
  { first, documents, operations }: Catalog,
  { tokens, unauthenticated, forward, keeps }: MockState,
): ContractSummary => ({
  title: first.title,
  version: first.version,
  documents: documents.map(({ contract, prefix }) => ({
    title: contract.title,
    version: contract.version,
    openapi: contract.openapi,
    source: contract.source,
    prefix,
    description: String(asNode(contract.document.info).description ?? ''),
  })),
  kind: forward === null ? 'mock' : 'proxy',
  answers: forward === null || forward.mockMissing === true,
  keeps,
  tokens: forward !== null ? 'of-server' : tokens === null ? 'any' : 'given',
  unauthenticated,
  operations: documents.flatMap(({ contract }, index) =>
    inOrderOfTags(
      contract.document,
      [...operations.values()].filter(served => served.index === index).map(operationSummaryOf),
    ),
  ),
})

/** The texts that the page sent; what is no text is left out. */
const textsIn = (body: Uint8Array | null): FieldTexts => {
  const read = readJson(body ?? new Uint8Array())
  const texts = read.ok && isObject(read.value) ? Object.entries(read.value) : []
  return Object.fromEntries(texts.filter((each): each is [string, string] => typeof each[1] === 'string'))
}

const redirect = (location: string): MockResponse => ({
  ...textResponse(308, `the console is at ${location}`),
  headers: [['Location', location]],
})

/** The origin at which the page reaches the mock. The page states it: behind a TLS proxy only the page knows it. */
const originOf = ({ target, headers }: MockRequest): string => {
  const stated = new URLSearchParams(target.split('?')[1] ?? '').get('origin')
  return stated !== null && /^https?:\/\/[^\s/]+$/.test(stated)
    ? stated
    : `http://${header(headers, 'host') ?? 'localhost'}`
}

/**
 * A violation with its requirement. Some violations stand for a group of obligations (`…/body/json`, or
 * `…/content-type/undeclared` beside its members): then `id` and requirement are those of the member that the request
 * exercises. There is no requirement if the operation is no longer served.
 */
const violationDetailsOf = (
  { id, code, message }: Violation,
  entry: Entry,
  served: ServedOperation | undefined,
  options: JudgeOptions,
): ViolationDetails => {
  const violation = shownViolations(entry).find(each => each.id === id)
  if (served === undefined || violation === undefined)
    return { id, code, message, requirement: null, place: null }
  const path = pathOf(violation.subject)
  const obligations = served.obligations()
  const below = (above: ObligationPath) =>
    obligations.filter(({ subject }) => isBelow(pathOf(subject), above))
  const members = below(path)
  const candidates = members.length > 0 ? members : below(path.slice(0, -1))
  const obligation =
    obligations.find(obligation => obligation.id === id) ?? exercisedBy(entry, candidates, served, options)[0]
  const source = obligation ?? members[0]
  return {
    code,
    message,
    id: obligation?.id ?? id,
    requirement: obligation?.requirement ?? null,
    place: source === undefined ? null : placeText(served.contract, source.clause.pointer),
  }
}
