import {
  type Failure,
  type HttpResponse,
  type Obligation,
  type Outcome,
  obligationsOf,
  protocolObligationsOf,
  type RawTrace,
} from '../../../spec/index.ts'
import { contracts } from '../contracts.ts'

export const obligations = new Map(
  Object.values(contracts)
    .flatMap(contract => [...obligationsOf(contract, 'either'), ...protocolObligationsOf(contract)])
    .map(obligation => [obligation.id, obligation]),
)

export const obligationOf = (id: string): Obligation => {
  const found = obligations.get(id)
  if (found === undefined) throw new Error(`no obligation ${id}`)
  return found
}

export const response = (
  status: number,
  body = '',
  type: string | null = 'application/json',
  headers: HttpResponse['headers'] = [],
): HttpResponse => ({
  status,
  headers: type === null ? headers : [['Content-Type', type], ...headers],
  body: new TextEncoder().encode(body),
})

export const answered = (status: number, trace?: Partial<RawTrace>): Outcome => ({
  kind: 'response',
  response: response(status),
  ms: 1,
  ...(trace === undefined
    ? {}
    : { trace: { statuses: [status], interim: [], early: true, closed: true, ...trace } }),
})

export const failed = (failure: Failure, status: number | null = null): Outcome => ({
  kind: 'failure',
  failure,
  status,
  detail: '',
  ms: 1,
})
