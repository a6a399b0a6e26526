import type { BrokenServer, Kind, Parts } from './model.ts'

type Options = Partial<Pick<BrokenServer, 'level' | 'witness' | 'isRare' | 'hangs'>>

type Row = (
  name: string,
  about: string,
  breaks: RegExp,
  parts: Partial<Parts> | (() => Partial<Parts>),
  options?: Options,
) => BrokenServer

/** Few requests show the fault. */
export const rare = { isRare: true } as const

/** The fault is a response that never comes. */
export const hangs = { hangs: true } as const

/** Makes the rows of a table. Parts that hold state are a function, which is called at each start. */
export const rowsOf =
  (kind: Kind): Row =>
  (name, about, breaks, parts, options = {}) => ({
    name,
    kind,
    about,
    breaks,
    level: options.level ?? 'MUST',
    witness: options.witness,
    isRare: options.isRare ?? false,
    hangs: options.hangs ?? false,
    parts: typeof parts === 'function' ? parts : () => parts,
  })
