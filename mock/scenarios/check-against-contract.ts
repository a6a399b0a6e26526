import {
  type Contract,
  isObject,
  type Obligation,
  type Operation,
  obligationIn,
  readJson,
  responseFor,
  streamKindOf,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { answerProblems } from '../answers/check-answer.ts'
import { unseenParts } from '../answers/when.ts'
import type { Engine } from '../engine/engine.ts'
import { grantOf } from '../rules/grants.ts'
import { identityNameOf } from '../rules/infer.ts'
import { exampleOf, failureOf, namesOfExamples } from './chosen-response.ts'
import type { Scenario } from './registry.ts'

/** What a scenario needs that this operation does not have, one line each. */
export const operationProblems = async (
  engine: Engine,
  operation: Operation,
  scenario: Scenario,
): Promise<readonly string[]> => {
  const problems = Object.values(missing(engine.contract, operation, scenario)).filter(line => line !== null)
  const { breaks } = scenario
  const broken = brokenBy(engine.contract, scenario, engine.unauthenticated)
  // What no operation has is told with names that are near.
  if (broken !== undefined && broken.operation !== operation.id)
    problems.push(`breaks must be an obligation of this operation, not ${breaks}`)
  problems.push(...undeclaredProblems(broken), ...streamProblems([operation], scenario))
  if (scenario.when !== undefined)
    problems.push(...unseenParts(operation, scenario.when, scenario.undeclared === true))
  if (problems.length > 0) return problems
  return [
    ...(await answerProblems(engine, operation, scenario)),
    ...(await failureProblems(engine, operation, scenario)),
  ]
}

const brokenBy = (
  contract: Contract,
  { breaks }: Scenario,
  policy: UnauthenticatedPolicy = 'declared',
): Obligation | undefined => (breaks === undefined ? undefined : obligationIn(contract, policy, breaks))

/** What a scenario for all operations needs that none of them has, one line each. */
export const contractProblems = (contract: Contract, scenario: Scenario): readonly string[] => {
  const all = contract.operations.map(operation => missing(contract, operation, scenario))
  const parts = ['status', 'example', 'duplicates', 'tokens'] as const
  const lines = parts.flatMap(part =>
    all.every(one => one[part] !== null) ? [`it fits no operation: ${all[0]?.[part]}`] : [],
  )
  const ofBody = (['body', 'patch'] as const).flatMap(key =>
    scenario[key] === undefined ? [] : [`${key} is for one operation: set it for its id instead of *`],
  )
  return [
    ...lines,
    ...ofBody,
    ...undeclaredProblems(brokenBy(contract, scenario)),
    ...streamProblems(contract.operations, scenario),
  ]
}

/** The parts of a scenario for all operations that fit this one. */
export const fitted = (contract: Contract, operation: Operation, scenario: Scenario): Scenario => {
  const lacking = missing(contract, operation, scenario)
  const { status, code, message, example, duplicates, expires, scopes, ...rest } = scenario
  return {
    ...rest,
    ...(lacking.status === null ? defined({ status, code, message }) : {}),
    ...(lacking.example === null ? defined({ example }) : {}),
    ...(lacking.duplicates === null ? defined({ duplicates }) : {}),
    ...(lacking.tokens === null ? defined({ expires, scopes }) : {}),
  }
}

const streamProblems = (operations: readonly Operation[], { stream }: Scenario): readonly string[] =>
  stream === undefined ||
  operations.some(({ responses }) =>
    responses.some(({ media }) => media.some(({ type }) => streamKindOf(type) !== null)),
  )
    ? []
    : ['stream applies to streams (text/event-stream, application/jsonl, …), and none is declared']

const defined = (parts: { [Key in keyof Scenario]: Scenario[Key] | undefined }): Scenario =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

type Missing = Readonly<Record<'status' | 'example' | 'duplicates' | 'tokens', string | null>>

const missing = (contract: Contract, operation: Operation, scenario: Scenario): Missing => {
  const { status, duplicates, expires, scopes, undeclared } = scenario
  return {
    status:
      status === undefined || undeclared === true || responseFor(operation, status) !== null
        ? null
        : `${status} is not declared (${declared(operation)}): add undeclared=true to break the contract on purpose`,
    example: exampleProblem(contract, operation, scenario),
    duplicates:
      duplicates !== 'reject' || identityNameOf({ contract, operation }) !== undefined
        ? null
        : 'duplicates cannot be rejected: the body has no identity, such as a required id',
    tokens:
      (expires === undefined && scopes === undefined) || grantOf(contract, operation) !== null
        ? null
        : 'expires and scopes apply to operations that give tokens, such as a login: this one gives none',
  }
}

const declared = ({ responses }: Operation): string =>
  `declared: ${responses.map(({ status }) => status).join(', ') || 'none'}`

const exampleProblem = (contract: Contract, operation: Operation, scenario: Scenario): string | null => {
  const { example, status } = scenario
  if (example === undefined) return null
  const found = exampleOf(contract, operation, scenario)
  if (found === null) {
    const names = namesOfExamples(contract, operation, status).join(', ')
    const scope = status === undefined ? '' : ` for ${status}`
    return `there is no example ${example}${scope}; examples${scope}: ${names || 'none'}`
  }
  const [violation] = found.validate?.(found.value) ?? []
  return violation === undefined
    ? null
    : `the example ${example} does not match its schema: ${violation.at || 'it'} ${violation.message}; fix it in the document`
}

const undeclaredProblems = (broken: Obligation | undefined): readonly string[] =>
  broken?.subject.kind === 'unspecified' && ['other-method', 'other-path'].includes(broken.subject.name)
    ? [`${broken.id} is about requests for no declared operation: break it with --break`]
    : []

/** The parts of a failure for which its schema has no property. */
const failureProblems = async (
  engine: Engine,
  operation: Operation,
  scenario: Scenario,
): Promise<readonly string[]> => {
  const { code, message } = scenario
  if (code === undefined && message === undefined) return []
  const { status, body } = await failureOf(engine, operation, scenario)
  const reading = readJson(body)
  const value = reading.ok ? reading.value : undefined
  const held: readonly unknown[] = isObject(value) ? Object.values(value).flat() : [value]
  return Object.entries({ code, message }).flatMap(([key, part]) =>
    part === undefined || held.includes(part)
      ? []
      : [`${key} cannot be set: the failure ${status} has no property that takes ${JSON.stringify(part)}`],
  )
}
