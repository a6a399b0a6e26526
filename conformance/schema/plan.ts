import type { Json } from '../../spec/index.ts'
import type { Source } from './source.ts'

/** A way to make values of one kind from facts. */
export type Plan = {
  /** One value, nesting at most `depth` deep; undefined where chance did not lead to one. */
  readonly draw: (source: Source, depth: number) => Json | undefined
  /** Values at and next to every bound, the simplest first; at depth 0 only the simplest. */
  readonly edges: (depth: number) => readonly Json[]
  /** True when there is a value that nests at most `depth` deep. */
  readonly reaches: (depth: number) => boolean
  /** All values there are, where they are few. */
  readonly finite: readonly Json[] | null
  /** True where that no value was found does not mean that there is none. */
  readonly unsure: () => boolean
}

/** For what there may be but is never made, such as a text of a million characters. */
export const beyond: Plan = {
  draw: () => undefined,
  edges: () => [],
  reaches: () => false,
  finite: null,
  unsure: () => true,
}

export const sure = (): boolean => false
