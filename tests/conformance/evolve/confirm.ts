import type { Difference } from '../../../conformance/index.ts'
import {
  type Contract,
  createRequestJudge,
  createResponseJudge,
  type Operation,
  pathValues,
} from '../../../spec/index.ts'

/** Whether the judges of both documents say of the example of a difference what it says; true if it has none that a text can show. */
export const confirm = (difference: Difference, old: Contract, now: Contract): boolean => {
  const { witness, requirement, part, concerns, operations } = difference
  if (witness === null || requirement === null || /\/auth\/|\/header\/|content-type|cookie/.test(requirement))
    return true
  const [name] = operations
  const [allowing, ruling] = (part === 'request') === (concerns === 'old-clients') ? [old, now] : [now, old]
  const count = (contract: Contract): number => {
    const operation = contract.operations.find(({ method, path }) => `${method} ${path}` === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    return part === 'request'
      ? requestViolations(contract, operation, witness)
      : responseViolations(contract, operation, witness, requirement)
  }
  return count(allowing) === 0 && count(ruling) > 0
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const requestViolations = (contract: Contract, operation: Operation, witness: string): number => {
  const line = /^[A-Z]+ (\S+)$/.exec(witness)
  const target = line?.[1] ?? operation.path
  const body = line === null ? bytes(witness) : null
  const headers = body === null ? [] : ([['Content-Type', 'application/json']] as const)
  const path = pathValues(operation.path, target.split('?')[0] ?? '')
  return createRequestJudge(contract, operation)({ target, headers, body, path }, null).violations.length
}

const responseViolations = (
  contract: Contract,
  operation: Operation,
  witness: string,
  requirement: string,
): number => {
  const line = /^(\d{3})(?:, ([a-z]+\/[a-z]+))?(?:, ([\w-]+): (.*))?$/.exec(witness)
  const status = Number(line?.[1] ?? /\/response\/(\d+)/.exec(requirement)?.[1])
  const [type, name, value] = [line?.[2] ?? 'application/json', line?.[3], line?.[4]]
  const headers = [['Content-Type', type], ...(name === undefined ? [] : [[name, value ?? '']])] as [
    string,
    string,
  ][]
  const total = requirement.endsWith('/x-total') ? [] : [['X-Total', '1'] as [string, string]]
  const isOfHeader = requirement.includes('/headers/')
  const body = bytes(line === null ? witness : '[]')
  return createResponseJudge(contract, operation)(
    { status, headers: [...headers, ...total], body },
    undefined,
  ).filter(({ id }) => isOfHeader === id.includes('/headers/') && (line === null || !id.includes('/body')))
    .length
}
