import { isObject, type Json, type OpenQuestion, writeJson } from '../../spec/index.ts'
import type { Draft, Lane } from '../case.ts'
import type { Model } from '../model.ts'
import { finite, type Maker, type MakerContext } from './maker.ts'

/** What the contract leaves open; null for questions that are answered by other cases. */
export const openMaker = (
  { model, identities }: MakerContext,
  name: OpenQuestion,
  base: (number: number) => Draft,
): Maker | null => {
  const one = (make: (draft: Draft) => Draft | null, lane: Lane = 'any'): Maker =>
    finite(1, (_index, number) => make(base(number)), lane)
  const member =
    (text: string) =>
    (draft: Draft): Draft => ({
      ...draft,
      encoding: { kind: 'text', text: writeJson(draft.body ?? {}).replace(/\}$/, `,${text}}`) },
    })
  switch (name) {
    case 'undeclared-property':
      return one(draft =>
        isObject(draft.body) ? { ...draft, body: { ...draft.body, undeclared: 'x' } } : null,
      )
    case 'duplicate-names':
      return one(draft => {
        const [first] = isObject(draft.body)
          ? Object.entries(draft.body).filter(([own]) => own !== identities?.name)
          : []
        return first === undefined
          ? null
          : member(`${JSON.stringify(first[0])}:${writeJson(first[1] as Json)}`)(draft)
      })
    case 'byte-order-mark':
      return one(draft => ({ ...draft, encoding: { kind: 'bom' } }))
    case 'lone-surrogate':
      return one(member('"undeclared":"\\ud800"'))
    case 'large-body':
      return one(draft => ({ ...draft, encoding: { kind: 'padded', bytes: 262_144 } }))
    case 'other-method':
      return one(draft => ({
        ...draft,
        method: otherMethod(model),
        body: undefined,
        encoding: { kind: 'absent' },
        contentType: null,
      }))
    case 'other-path':
      // What follows a parameter would be a part of it.
      return one(draft => ({
        ...draft,
        path: `${draft.path}${draft.path.endsWith('}') ? '/' : '-'}undeclared`,
      }))
    case 'duplicate-id':
      return one(draft => draft, 'twice')
    // The cases of wrong credentials tell.
    case 'credentials':
      return null
  }
}

const otherMethod = ({ contract, operation }: Model): string => {
  const declared = contract.operations
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method)
  return (['PUT', 'PATCH', 'DELETE', 'GET'] as const).find(method => !declared.includes(method)) ?? 'REPORT'
}
