import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** A JSON file of an installed package. */
export const jsonOf = (path: string): object => load(path) as object
