import { isObject, type Json, type OpenQuestion, writeJson } from '../../../spec/index.ts'
import type { Precondition, RequestSpec } from '../case.ts'
import type { OperationModel } from '../operation-model.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** One request for a question that the contract leaves open; null if other cases answer it. */
export const unspecifiedStrategy = (
  { model, identities }: StrategyContext,
  question: OpenQuestion,
  plain: PlainSpec,
): Strategy | null => {
  const one = (
    make: (spec: RequestSpec) => RequestSpec | null,
    precondition: Precondition = 'none',
  ): Strategy => finiteStrategy(1, (_index, number) => make(plain(number)), precondition)
  const withMember =
    (text: string) =>
    (spec: RequestSpec): RequestSpec => ({
      ...spec,
      encoding: { kind: 'text', text: writeJson(spec.body ?? {}).replace(/\}$/, `,${text}}`) },
    })
  switch (question) {
    case 'undeclared-property':
      return one(spec => (isObject(spec.body) ? { ...spec, body: { ...spec.body, undeclared: 'x' } } : null))
    case 'duplicate-names':
      return one(spec => {
        const [first] = isObject(spec.body)
          ? Object.entries(spec.body).filter(([name]) => name !== identities?.name)
          : []
        return first === undefined
          ? null
          : withMember(`${JSON.stringify(first[0])}:${writeJson(first[1] as Json)}`)(spec)
      })
    case 'byte-order-mark':
      return one(spec => ({ ...spec, encoding: { kind: 'bom' } }))
    case 'lone-surrogate':
      return one(spec => {
        // In a declared property if there is one: some servers reject any other.
        const [name] = isObject(spec.body)
          ? (Object.entries(spec.body).find(
              ([property, value]) =>
                typeof value === 'string' &&
                property !== identities?.name &&
                model.isValidBody({ ...(spec.body as object), [property]: '\ud800' }),
            ) ?? [])
          : []
        if (name === undefined || !isObject(spec.body)) return withMember('"undeclared":"\\ud800"')(spec)
        const marker = 'plantstore-surrogate'
        const text = writeJson({ ...spec.body, [name]: marker }).replace(marker, '\\ud800')
        return { ...spec, encoding: { kind: 'text', text } }
      })
    case 'large-body':
      return one(spec => ({ ...spec, encoding: { kind: 'padded', bytes: 262_144 } }))
    case 'other-method':
      return one(spec => ({
        ...spec,
        method: otherMethod(model),
        body: undefined,
        encoding: { kind: 'absent' },
        contentType: null,
      }))
    case 'other-path':
      // Directly after a parameter it would be part of that parameter's value.
      return one(spec => ({
        ...spec,
        path: `${spec.path}${spec.path.endsWith('}') ? '/' : '-'}undeclared`,
      }))
    case 'duplicate-id':
      return one(spec => spec, 'twice')
    // The cases with wrong credentials answer this.
    case 'credentials':
      return null
  }
}

const otherMethod = ({ contract, operation }: OperationModel): string => {
  const declared = contract.operations
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method)
  return (['PUT', 'PATCH', 'DELETE', 'GET'] as const).find(method => !declared.includes(method)) ?? 'REPORT'
}
