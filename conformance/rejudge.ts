import {
  type Contract,
  type ExchangeEvent,
  type HttpRequest,
  type Ledger,
  type Obligation,
  type Outcome,
  recordedBytes,
  statusPolicyOf,
  withCredentialForm,
} from '../spec/index.ts'
import { createOperationModel, type OperationModel } from './cases/operation-model.ts'
import { judgeCase, violationsIn } from './judge/judge-case.ts'
import { obligationsIn, restoreCase } from './restore-case.ts'

/**
 * Judges the recorded responses of a run again, without sending anything. Gives one line for each obligation that an exchange shows
 * failed and the ledger does not: somebody has changed the ledger, or another version has judged it.
 */
export const rejudge = (declared: Contract, ledger: Ledger): readonly string[] => {
  const contract = withCredentialForm(declared, ledger.start.policies.auth ?? null)
  const policy = statusPolicyOf(ledger)
  const obligations = new Map(obligationsIn(contract, ledger).map(obligation => [obligation.id, obligation]))
  const kinds = new Map(ledger.entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
  const modelOf = modelsOf(contract)
  const lines = new Map<string, string>()
  for (const exchange of ledger.exchanges) {
    const tested = obligations.get(exchange.obligation)
    if (tested === undefined) {
      lines.set(
        exchange.obligation,
        `the contract has no ${exchange.obligation}, which the exchange ${exchange.id} tests`,
      )
      continue
    }
    const model = modelOf(tested)
    const outcome = outcomeOf(exchange)
    if (model === null || outcome === null || isElsewhere(tested)) continue
    const { expectation, failed } = exchange
    const restored = restoreCase(
      model,
      requestOf(exchange, tested),
      expectation,
      tested,
      tested,
      exchange.steps !== undefined,
    )
    // By its number a response is told from that to another case.
    const testCase = { ...restored, number: Number.parseInt(exchange.id, 16) }
    for (const { id, expected, actual } of violationsIn(judgeCase(model, testCase, outcome, policy))) {
      const kind = kinds.get(id)
      if (failed.includes(id) || lines.has(id) || kind === undefined || kind === 'untested') continue
      lines.set(
        id,
        `the exchange ${exchange.id} shows that ${id} failed, which the ledger leaves out: expected ${expected}, actual ${actual}`,
      )
    }
  }
  return [...lines.values()]
}

const modelsOf = (contract: Contract): ((obligation: Obligation) => OperationModel | null) => {
  const models = new Map<string, OperationModel | null>()
  return ({ operation: id }) => {
    const known = models.get(id)
    if (known !== undefined) return known
    const operation = contract.operations.find(each => each.id === id)
    const model = operation === undefined ? null : createOperationModel(contract, operation)
    models.set(id, model)
    return model
  }
}

/** Whether the requests of an obligation go to another path, or have another method: nothing is declared for their responses. */
const isElsewhere = ({ subject }: Obligation): boolean =>
  subject.kind === 'unspecified' && (subject.name === 'other-path' || subject.name === 'other-method')

/** The request of an exchange; without its body if that was cut or has no one meaning, as nothing can be compared with it. */
const requestOf = ({ request: { body, ...rest } }: ExchangeEvent, { family }: Obligation): HttpRequest => ({
  ...rest,
  body: body === null || family === 'unspecified' ? null : recordedBytes(body),
})

/**
 * What came of an exchange; null if the record cannot be judged: its body was cut, it has a placeholder for a token that the server
 * sent, or the request was malformed HTTP, which is judged by bytes.
 */
const outcomeOf = ({ request, outcome }: ExchangeEvent): Outcome | null => {
  if (request.raw !== undefined) return null
  if (outcome.kind === 'failure') return outcome
  const { status, headers, ms } = outcome
  // A server need not know a query that nobody declared.
  if (status === 404 && request.target.includes('?')) return null
  const body = recordedBytes(outcome.body)
  return body === null || outcome.body.data.includes('{{token')
    ? null
    : { kind: 'response', response: { status, headers, body }, ms }
}
