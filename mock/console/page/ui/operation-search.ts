import type { OperationSummary } from '../../messages.ts'
import { containsWords } from './contains-words.ts'
import { html, type VNode } from './html.ts'

/** Up to this many operations need no search. */
const fewOperations = 4

type Props = {
  readonly operations: readonly OperationSummary[]
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** A search field for operations; null if there are only a few. */
export const OperationSearch = ({ operations, query, onQuery }: Props): VNode | null =>
  operations.length <= fewOperations
    ? null
    : html`<input type="search" aria-label="Search operations" placeholder="Search   /" value=${query}
        onInput=${(event: Event) => onQuery((event.target as HTMLInputElement).value)} />`

/** The operations that contain every word of the query. */
export const matchingOperations = (
  operations: readonly OperationSummary[],
  query: string,
): readonly OperationSummary[] =>
  operations.filter(({ id, method, path, summary }) =>
    containsWords(`${id} ${method} ${path} ${summary}`, query),
  )
