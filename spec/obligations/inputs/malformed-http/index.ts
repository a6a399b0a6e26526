import { bodyKinds } from './body.ts'
import { headKinds } from './head.ts'
import type { MalformedHttpKind } from './kind.ts'

export { bodyKinds } from './body.ts'
export { headKinds } from './head.ts'
export type { MalformedHttpCheck, MalformedHttpKind } from './kind.ts'

export const malformedHttpKinds: readonly MalformedHttpKind[] = [...headKinds, ...bodyKinds]
