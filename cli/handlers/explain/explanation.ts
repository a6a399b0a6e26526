import { outcomeLine, requestLine } from '../../../reports/index.ts'
import {
  type Excerpt,
  type Obligation,
  plural,
  type RecordedClause,
  type RecordedOutcome,
  type RecordedRequest,
  type Subject,
  safeText,
  whereText,
} from '../../../spec/index.ts'

/** A request and its outcome. */
export type Example = { readonly request: RecordedRequest; readonly outcome: RecordedOutcome }

/** One obligation, explained. */
export type Explanation = {
  readonly obligation: Omit<Obligation, 'subject'>
  readonly excerpt: Excerpt
  /** The clauses that it covers. */
  readonly clauses: readonly RecordedClause[]
  readonly method: string
  /** Test cases, or judged responses, in a run of the default size. */
  readonly cases: number
  readonly defaultCases: number
  /** How many different test cases there are; null: without limit. */
  readonly differentCases: number | null
  readonly requests: readonly RecordedRequest[]
  readonly passed: (Example & { readonly observation: string | null }) | null
  readonly failed: (Example & { readonly expected: string; readonly actual: string }) | null
  /** Why no response fails. */
  readonly reason: string | null
}

const longestLine = 300

/** An explanation as text for a terminal. */
export const explanationText = (explanation: Explanation): string => {
  const { obligation, excerpt, clauses, method, requests, passed, failed, reason } = explanation
  const { place, rule } = obligation.clause
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['requirement', [obligation.requirement]],
    ['clause', [`${whereText(place)}${rule === null ? '' : ` · ${rule}`}`, ...excerptLines(excerpt)]],
    ['source', clauses.flatMap(({ id, at, text }) => [`${id} · ${at}`, `  “${text}”`])],
    ['test', [method, caseCount(explanation)]],
    ['examples', requests.map(request => requestLine(request, longestLine))],
    ['passed', passedLines(passed)],
    ['failed', failed === null ? [reason ?? 'no failing response could be shown'] : failedLines(failed)],
  ]
  return [
    `${obligation.id}`,
    `${obligation.level} · ${obligation.family}`,
    ...rows
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([label, lines]) => [
        '',
        ...lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(13)}${safeText(line)}`),
      ]),
  ]
    .map(line => line.trimEnd())
    .join('\n')
}

const excerptLines = ({ from, line, lines }: Excerpt): readonly string[] =>
  lines.map(
    (text, index) =>
      `${from + index === line ? '>' : ' '} ${String(from + index).padStart(String(from + lines.length).length)} | ${text}`,
  )

const caseCount = ({ cases, defaultCases, differentCases, obligation }: Explanation): string => {
  const { family } = obligation
  const what = family === 'response' ? plural(cases, 'judged response') : plural(cases, 'test case')
  const text = `${what} in a run of ${plural(defaultCases, 'case')} (the default)`
  if (family === 'response' || family === 'stability') return `${text}.`
  return differentCases === null
    ? `${text}, of an unlimited number.`
    : `${text}; there ${differentCases === 1 ? 'is only one' : `are ${differentCases} different ones`}.`
}

const passedLines = (passed: Explanation['passed']): readonly string[] =>
  passed === null
    ? ['the mock never sends such a response']
    : [
        ...(passed.observation === null ? [] : [`the mock: ${passed.observation}`]),
        outcomeLine(passed.outcome, longestLine),
        `to ${requestLine(passed.request, longestLine)}`,
      ]

const failedLines = ({
  request,
  outcome,
  expected,
  actual,
}: NonNullable<Explanation['failed']>): readonly string[] => [
  outcomeLine(outcome, longestLine),
  `to ${requestLine(request, longestLine)}`,
  `expected ${expected}`,
  `actual ${actual}`,
]

/** Describes what is sent for an obligation, and how the response is judged. */
export const testMethod = ({ subject, level }: Obligation): string =>
  `${requestText(subject)} ${level === 'OBSERVE' ? 'The response is recorded and never judged.' : judgementText(subject)}`

const requestText = (subject: Subject): string => {
  switch (subject.kind) {
    case 'valid':
      return 'Valid requests: boundary cases first, then random ones drawn from the schemas.'
    case 'presence':
      return `A valid body with ${subject.present.length === 0 ? 'none of its optional properties' : `only these of its optional properties: ${subject.present.join(', ')}`}.`
    case 'value':
      return `A valid request with ${subject.texts.length === 1 ? 'this value' : `one of ${subject.texts.length} values`} at this place; everything else is simple.`
    case 'combined':
      return 'Valid requests that combine an extreme text with every other condition: values of other properties, layout of the JSON, framing, connection.'
    case 'layout':
    case 'framing':
    case 'size':
      return 'A valid body in another encoding with the same meaning.'
    case 'query-escapes':
      return 'A valid request whose query has percent-escapes for letters and digits, which mean the same.'
    case 'extra':
      return 'A valid request with headers that clients and proxies add.'
    case 'media':
      return subject.isAccepted
        ? 'A valid body with another spelling of the declared Content-Type.'
        : 'A valid body with a Content-Type that is not declared.'
    case 'keyword':
      return `A request that is valid except for one value that violates \`${subject.keyword}\` at this place; a judge confirms this from the bytes before they are sent.`
    case 'branch':
      return `A valid request with a value of this branch of \`${subject.keyword}\`.`
    case 'malformed':
      return 'The bytes of a valid body, damaged so that it cannot be read in its format.'
    case 'part':
      return 'A request that is valid except for the media type or a header of one part of its body.'
    case 'no-body':
      return 'A request that is valid except that it has no body.'
    case 'several-violations':
      return 'A request whose body has two invalid properties: both have a wrong type, or one has and the other is missing.'
    case 'displaced':
      return 'A request whose body has its properties under other names, or inside another value.'
    case 'missing-parameter':
      return 'A request that is valid except for one missing parameter.'
    case 'credentials':
      return subject.isAccepted
        ? 'A valid request with the right credentials in another permitted form.'
        : 'A request that is valid except for its credentials.'
    case 'response':
      return 'No requests of its own: every response of the run that it applies to is judged.'
    case 'response-time':
      return 'No requests of its own: the conforming responses to all valid requests of the run are measured.'
    case 'stability':
      return 'Valid and invalid requests, many in parallel and many in sequence on one connection.'
    case 'state':
      if (subject.name.startsWith('other-'))
        return 'A chain of requests: one user creates a resource, another one that is accepted tries to get at it, and the first reads it again.'
      if (subject.name.startsWith('key-'))
        return 'A chain of requests: it creates a resource with a key of its own, uses the key again, and compares what is listed before and after.'
      if (subject.name.startsWith('if-'))
        return 'A chain of requests: it creates a resource, reads its ETag, sends a request with a condition, and reads the resource again.'
      return 'A chain of requests: it creates resources, does with them what the requirement is about, and reads them again.'
    case 'flow':
      return 'The requests of the workflow, up to this step.'
    case 'callback':
      return 'A request with a URL of the listener (verify --listen), and what comes to that URL.'
    case 'unspecified':
      return 'Requests that the contract does not specify.'
    case 'protocol':
      return 'Bytes that no HTTP client sends, each time on a new connection.'
    default:
      return subject satisfies never
  }
}

const judgementText = (subject: Subject): string => {
  switch (subject.kind) {
    case 'response':
      return 'It fails at the first response that differs.'
    case 'stability':
      return 'Each response must be the one that its request gets alone.'
    case 'state':
      if (subject.name.startsWith('other-'))
        return 'The other user must be kept out, with 401, 403 or 404, or by a list without the resource, and nothing may change.'
      if (subject.name.startsWith('key-'))
        return 'No second resource may be created, and the second answer must be the one that the requirement names.'
      if (subject.name.startsWith('if-'))
        return 'The request must be done if its condition holds; otherwise it must be refused, and have no effect.'
      return 'The last request must read what was stored, or find nothing if it was removed.'
    case 'protocol':
      return 'The response must be one that HTTP permits.'
    case 'callback':
      return 'What the server sends must be as the requirement says.'
    case 'keyword':
    case 'malformed':
    case 'part':
    case 'no-body':
    case 'displaced':
    case 'several-violations':
    case 'missing-parameter':
      return 'The response must be a declared failure.'
    case 'media':
    case 'credentials':
      return subject.isAccepted
        ? 'The response must be a declared success.'
        : 'The response must be a declared failure.'
    default:
      return 'The response must be a declared success.'
  }
}
