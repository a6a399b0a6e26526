import type { Lawful, Parts } from './model.ts'

type Changes = Partial<Parts> | (() => Partial<Parts>)

/** A row of a table of lawful stores. */
export const lawful = (
  name: string,
  about: string,
  parts: Changes,
  { strict = true, kind = 'lawful' }: Partial<Pick<Lawful, 'strict' | 'kind'>> = {},
): Lawful => ({ name, about, kind, strict, parts: typeof parts === 'function' ? parts : () => parts })
