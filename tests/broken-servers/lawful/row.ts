import type { LawfulServer, Parts } from '../store/model.ts'

type Options = Partial<Pick<LawfulServer, 'strict' | 'kind' | 'sustained'>>

/** A row of a table of lawful stores. Parts that hold state are a function, which is called at each start. */
export const lawful = (
  name: string,
  about: string,
  parts: Partial<Parts> | (() => Partial<Parts>),
  { strict = true, kind = 'lawful', sustained = false }: Options = {},
): LawfulServer => ({
  name,
  about,
  kind,
  strict,
  sustained,
  isStateful: typeof parts === 'function',
  parts: typeof parts === 'function' ? parts : () => parts,
})
