import { type Contract, clauseOf, isObject, type Operation, readJson } from '../../spec/index.ts'
import type { Desk } from '../engine.ts'
import { identityNameOf } from '../identity-name.ts'
import { failureOf } from './answer.ts'
import { exampleNames, exampleOf } from './example.ts'
import type { Scenario } from './scenario.ts'

/** What a scenario asks for that this operation does not have; one line each. */
export const fitProblems = async (
  contract: Contract,
  desk: Desk,
  operation: Operation,
  scenario: Scenario,
): Promise<readonly string[]> => {
  const problems = Object.values(missing(contract, operation, scenario)).filter(line => line !== null)
  const { breaks } = scenario
  if (breaks !== undefined && !breaks.startsWith(`${operation.id}/`))
    problems.push(`breaks must be an obligation of this operation, not ${breaks}`)
  problems.push(...elsewhere(scenario))
  return problems.length > 0 ? problems : carryProblems(desk, operation, scenario)
}

/** What a scenario of all operations asks for that none of them has; one line each. */
export const fitsNone = (contract: Contract, scenario: Scenario): readonly string[] => {
  const all = contract.operations.map(operation => missing(contract, operation, scenario))
  const parts = ['status', 'example', 'duplicates'] as const
  const lines = parts.flatMap(part =>
    all.every(one => one[part] !== null) ? [`of no operation: ${all[0]?.[part]}`] : [],
  )
  return [...lines, ...elsewhere(scenario)]
}

/** The parts of a scenario of all operations that this one has. */
export const fitted = (contract: Contract, operation: Operation, scenario: Scenario): Scenario => {
  const lacking = missing(contract, operation, scenario)
  const { status, code, message, example, duplicates, ...rest } = scenario
  return {
    ...rest,
    ...(lacking.status === null ? defined({ status, code, message }) : {}),
    ...(lacking.example === null ? defined({ example }) : {}),
    ...(lacking.duplicates === null ? defined({ duplicates }) : {}),
  }
}

const defined = (parts: { [Key in keyof Scenario]: Scenario[Key] | undefined }): Scenario =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))

type Missing = Readonly<Record<'status' | 'example' | 'duplicates', string | null>>

const missing = (contract: Contract, operation: Operation, scenario: Scenario): Missing => {
  const { status, duplicates, undeclared } = scenario
  return {
    status:
      status === undefined || undeclared === true || clauseOf(operation, status) !== null
        ? null
        : `${status} is not declared (${declared(operation)}): give undeclared=true as well to break the contract on purpose`,
    example: exampleProblem(contract, operation, scenario),
    duplicates:
      duplicates !== 'refuse' || identityNameOf({ contract, operation }) !== undefined
        ? null
        : 'duplicates cannot be refused: its body has no identity, such as a required id',
  }
}

const declared = ({ responses }: Operation): string =>
  responses.length === 0 ? 'no answer is' : `declared: ${responses.map(({ status }) => status).join(', ')}`

const exampleProblem = (contract: Contract, operation: Operation, scenario: Scenario): string | null => {
  const { example, status } = scenario
  if (example === undefined) return null
  const found = exampleOf(contract, operation, scenario)
  if (found === null) {
    const names = exampleNames(contract, operation, status)
    return `there is no example ${example}${status === undefined ? '' : ` of ${status}`}: ${names.length === 0 ? 'the document has none' : `there is ${names.join(', ')}`}`
  }
  const [violation] = found.validate?.(found.value) ?? []
  return violation === undefined
    ? null
    : `the example ${example} breaks its own schema: ${violation.at || 'it'} ${violation.message}. Mend it in the document`
}

const elsewhere = ({ breaks = '' }: Scenario): readonly string[] =>
  /\/open\/other-(method|path)$/.test(breaks)
    ? [`${breaks} is of requests that are for no operation: break it with --break`]
    : []

/** What the failure has no place for. */
const carryProblems = async (
  desk: Desk,
  operation: Operation,
  scenario: Scenario,
): Promise<readonly string[]> => {
  const { code, message } = scenario
  if (code === undefined && message === undefined) return []
  const { status, body } = await failureOf(desk, operation, scenario)
  const reading = readJson(body)
  const value = reading.ok ? reading.value : undefined
  const held: readonly unknown[] = isObject(value) ? Object.values(value).flat() : [value]
  return Object.entries({ code, message }).flatMap(([key, given]) =>
    given === undefined || held.includes(given)
      ? []
      : [`${key} cannot be given: the failure ${status} has no place for ${JSON.stringify(given)}`],
  )
}
