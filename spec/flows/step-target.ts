import type { Contract } from '../contract/contract.ts'
import { step, steps } from '../json/pointer.ts'
import { nearest } from '../text/nearest.ts'
import type { ArazzoDocument, At, Table } from './arazzo-document.ts'
import type { FlowStep } from './flow.ts'

/** What a step asks, which runs no workflow: an operation of the contract, or a message of AsyncAPI. Throws DocumentError. */
export const targetOf = (
  { fail }: ArazzoDocument,
  contract: Contract,
  sources: readonly Table[],
  of: At<Table>,
): FlowStep['target'] => {
  /** `museum.getHours` is written as well as `$sourceDescriptions.museum.getHours`. */
  const withoutSource = (written: string): string => {
    const found = sources
      .map(({ name }) => `${String(name)}.`)
      .find(each => withoutRoot(written).startsWith(each))
    return withoutRoot(written).slice(found?.length ?? 0)
  }

  /** A step of AsyncAPI (Arazzo 1.1.0 4.6.5): on a channel, or an operation of such a source. */
  const isOfMessage = ({ channelPath, operationId }: Table): boolean =>
    channelPath !== undefined ||
    sources.some(
      ({ name, type }) =>
        type === 'asyncapi' && withoutRoot(String(operationId ?? '')).startsWith(`${String(name)}.`),
    )

  const operationOf = (): string => {
    const { operationId, operationPath } = of.value
    if (typeof operationId === 'string') {
      const ids = contract.operations.map(operation => operation.id)
      const id = ids.includes(operationId) ? operationId : withoutSource(operationId)
      if (ids.includes(id)) return id
      return fail(`the contract has no operation ${id}${similar(id, ids)}`, step(of.at, 'operationId'))
    }
    if (typeof operationPath !== 'string')
      return fail('the step names no `operationId`, `operationPath` or `workflowId`', of.at)
    const [paths, path, method] = steps(operationPath.slice(operationPath.indexOf('#') + 1))
    const found = contract.operations.find(
      operation => operation.path === path && operation.method.toLowerCase() === method?.toLowerCase(),
    )
    return paths === 'paths' && found !== undefined
      ? found.id
      : fail(`the contract has no operation at ${operationPath}`, step(of.at, 'operationPath'))
  }

  return isOfMessage(of.value) ? { kind: 'message' } : { kind: 'operation', operation: operationOf() }
}

const withoutRoot = (written: string): string => written.replace('$sourceDescriptions.', '')

export const similar = (name: string, names: readonly string[]): string => {
  const [closest] = nearest(name, names)
  return closest === undefined ? '' : `: did you mean ${closest}?`
}
