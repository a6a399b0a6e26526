import {
  bodyTypes,
  isObject,
  type Json,
  type OpenQuestion,
  setAt,
  step,
  writeJson,
} from '../../../spec/index.ts'
import type { Precondition, RequestSpec } from '../case.ts'
import { oddKinds, withOddProperties } from '../names/odd-properties.ts'
import type { OperationModel } from '../operation-model.ts'
import { withAllOptional } from '../with-optional.ts'
import { textProperty, withText } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

const otherTypes = ['text/html', 'application/xml', 'image/*']

/** One request for a question that the contract leaves open; null if other cases answer it. */
export const unspecifiedStrategy = (
  context: StrategyContext,
  question: OpenQuestion,
  plain: PlainSpec,
): Strategy | null => {
  const { model, identities } = context
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
    case 'odd-properties':
      return finiteStrategy(oddKinds(), (index, number) => {
        const spec = plain(number)
        const body = withOddProperties(model, spec.body, index, number)
        return body === null ? null : { ...spec, body }
      })
    case 'duplicate-names':
      return finiteStrategy(2, (index, number) => {
        // Some servers fail only on the names that they take for optional.
        const spec = index === 0 ? plain(number) : withAllOptional(model, plain(number), number)
        const members = isObject(spec.body)
          ? Object.entries(spec.body).filter(([name]) => name !== identities?.name)
          : []
        const member = members.at(index === 0 ? 0 : -1)
        return member === undefined
          ? null
          : withMember(`${JSON.stringify(member[0])}:${writeJson(member[1] as Json)}`)(spec)
      })
    case 'byte-order-mark':
      return one(spec => ({ ...spec, encoding: { kind: 'bom' } }))
    case 'lone-surrogate':
      return one(spec => {
        // In a declared property if there is one: some servers reject any other.
        const name = textProperty(context, spec, '\ud800')
        if (name === undefined) return withMember('"undeclared":"\\ud800"')(spec)
        const marker = 'plantstore-surrogate'
        const text = writeJson(setAt(spec.body ?? null, step('', name), marker)).replace(marker, '\\ud800')
        return { ...spec, encoding: { kind: 'text', text } }
      })
    case 'other-charset':
      return one(spec => {
        const changed = withText(context, spec, 'Ren\u00e9e')
        return changed === spec
          ? null
          : { ...changed, contentType: `${spec.contentType}; charset=iso-8859-1` }
      })
    case 'large-body':
      return one(spec => ({ ...spec, encoding: { kind: 'padded', bytes: 262_144 } }))
    case 'content-coding':
      return one(spec => ({
        ...spec,
        encoding: { kind: 'gzip' },
        extra: [{ in: 'header', name: 'Content-Encoding', value: 'gzip' }],
      }))
    case 'type-of-no-body':
      return finiteStrategy(bodyTypes.length, (index, number) => ({
        ...plain(number),
        extra: [{ in: 'header', name: 'Content-Type', value: bodyTypes[index] ?? '' }],
      }))
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
    case 'other-accept':
      return finiteStrategy(otherTypes.length, (index, number) => ({
        ...plain(number),
        extra: [{ in: 'header', name: 'Accept', value: otherTypes[index] ?? 'text/html' }],
      }))
    case 'undeclared-parameter':
      return one(spec => ({ ...spec, extra: [{ in: 'query', name: 'undeclared', value: 'x' }] }))
    case 'duplicate-id':
      return one(spec => spec, 'twice')
    // The cases of what is rejected answer these.
    case 'credentials':
    case 'undeclared-media':
    case 'invalid-body':
    case 'invalid-parameter':
      return null
  }
}

const otherMethod = ({ contract, operation }: OperationModel): string => {
  // An operation that is left out is declared as well, and may delete something.
  const declared = [...contract.operations, ...contract.leftOut]
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method)
  // A server may know a DELETE that its document does not declare; without a body, the others change nothing.
  return (['PUT', 'PATCH', 'GET'] as const).find(method => !declared.includes(method)) ?? 'REPORT'
}
