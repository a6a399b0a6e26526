import type { Broken, Kind, Parts, Witness } from './model.ts'

interface Options {
  readonly level?: Broken['level']
  readonly witness?: Witness
}

type Row = (
  name: string,
  about: string,
  breaks: RegExp,
  parts: Partial<Parts> | (() => Partial<Parts>),
  options?: Options,
) => Broken

/** A row of a table; parts that hold state are given as a function, and made anew at each start. */
export const rowsOf =
  (kind: Kind): Row =>
  (name, about, breaks, parts, { level = 'MUST', witness = undefined } = {}) => ({
    name,
    kind,
    about,
    breaks,
    level,
    witness,
    parts: typeof parts === 'function' ? parts : () => parts,
  })
