import type { Pointer } from '../../json/pointer.ts'
import type { Place } from '../diagnostic.ts'

/** Why something at a place of the bundled document cannot be used. */
export type Fault = {
  readonly message: string
  readonly at: Pointer
  /** Where it is, if that is in another file that the place refers to. */
  readonly place?: Place | null
  /** The document is right, but this program cannot do it. */
  readonly unsupported?: true
}

/** `warn`: of what nothing rests on, or what can be spared. */
export type Warn = (message: string, at: Pointer, more?: Pick<Fault, 'place' | 'unsupported'>) => void

/** Whether an object describes what clients send, so that what is wrong with it makes requests wrong. */
export type Side = 'request' | 'response'

/** Checks an object of a kind; returns what makes it unusable. Tells the rest as warnings, and takes it out of the document. */
export type Check = (kind: string, value: unknown, at: Pointer, side: Side) => readonly Fault[]
