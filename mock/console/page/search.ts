import type { OperationLine } from '../shape.ts'
import { html, type VNode } from './html.ts'

/** So few operations are found by looking. */
const fewOperations = 4

type Props = {
  readonly operations: readonly OperationLine[]
  readonly words: string
  readonly onWords: (words: string) => void
}

/** A search for operations; nothing where there are only a few. */
export const OperationSearch = ({ operations, words, onWords }: Props): VNode | null =>
  operations.length <= fewOperations
    ? null
    : html`<input type="search" aria-label="Search operations" placeholder="Search   /" value=${words}
        onInput=${(event: Event) => onWords((event.target as HTMLInputElement).value)} />`

/** The operations in which each of the words stands. */
export const matching = (operations: readonly OperationLine[], words: string): readonly OperationLine[] =>
  operations.filter(({ id, method, path, summary }) => {
    const text = `${id} ${method} ${path} ${summary}`.toLowerCase()
    return words
      .toLowerCase()
      .split(/\s+/)
      .every(word => text.includes(word))
  })
