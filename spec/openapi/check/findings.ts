import type { Pointer } from '../../json/pointer.ts'
import type { Place } from '../diagnostic.ts'

/** Something wrong at a place of the bundled document. `place`: where it is, if that is in another file that the place refers to. */
export type Fault = { readonly message: string; readonly at: Pointer; readonly place?: Place | null }

/** `warn`: of what nothing rests on. */
export type Warn = (message: string, at: Pointer, place?: Place | null) => void
