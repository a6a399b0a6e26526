import type { Pointer } from '../../json/pointer.ts'
import type { Place } from '../diagnostic.ts'

/** Something wrong at a place of the bundled document. `place`: where it is, if that is in another file that the place refers to. */
export type Fault = { readonly message: string; readonly at: Pointer; readonly place?: Place | null }

/** `warn`: of what nothing rests on. */
export type Warn = (message: string, at: Pointer, place?: Place | null) => void

/** Whether an object describes what clients send, so that what is wrong with it makes requests wrong. */
export type Side = 'request' | 'response'

/** Checks an object of a kind; returns what makes it unusable. Tells the rest as warnings, and takes it out of the document. */
export type Check = (kind: string, value: unknown, at: Pointer, side: Side) => readonly Fault[]
