import type {
  Contract,
  DeclaredResponse,
  Operation,
  ParameterKind,
  Resource,
  SchemaPlace,
} from '../../spec/index.ts'

/** What a query parameter does to a list. */
export type ListRule =
  | {
      readonly kind: 'size' | 'page' | 'offset' | 'cursor' | 'sort' | 'direction'
      readonly parameter: string
    }
  | { readonly kind: 'filter'; readonly parameter: string; readonly property: string }

/** A parameter of the path that is a property of what the response gives. */
export type PathRule = { readonly parameter: string; readonly property: string; readonly isIdentity: boolean }

/** Where a response has its list. */
export type ListPlace = {
  readonly root: SchemaPlace
  /** The names of the properties on the way to the list; empty: it is the whole body. */
  readonly path: readonly string[]
  readonly list: SchemaPlace
  readonly item: SchemaPlace | null
}

/** How the responses of an operation fit their requests. */
export type OperationRules = {
  readonly contract: Contract
  readonly operation: Operation
  readonly declared: DeclaredResponse
  /** The body; null: the response has none in JSON. */
  readonly root: SchemaPlace | null
  /** The resource in it, or an item of its list. */
  readonly instance: SchemaPlace | null
  /** The kind of resource that the operation gives, lists, creates or changes; null: none that has a name. */
  readonly resource: Resource | null
  readonly list: ListPlace | null
  /** The property of an item or resource that tells it apart; null: there is none. */
  readonly identity: string | null
  readonly identityPlace: SchemaPlace | null
  readonly path: readonly PathRule[]
  readonly query: readonly ListRule[]
  readonly location: string | null
  /** One sentence for each rule. */
  readonly sentences: readonly string[]
}

/** The rules of a declared response of an operation; the same object each time. */
export type RulesFor = (operation: Operation, declared: DeclaredResponse) => OperationRules

/**
 * What a user says of the rules, by operation and parameter: `listPlants.n: size`, `*.q: off`. `filter:NAME` names the property that a
 * parameter selects by.
 */
export type RuleSettings = Readonly<Record<string, string>>

export const ruleKinds: readonly (ParameterKind | 'filter' | 'off')[] = [
  'size',
  'page',
  'offset',
  'cursor',
  'sort',
  'direction',
  'filter',
  'off',
]
