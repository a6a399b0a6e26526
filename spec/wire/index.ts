import { bodyKinds } from './body-kinds.ts'
import { headKinds } from './head-kinds.ts'
import type { WireKind } from './kind.ts'

export { bodyKinds } from './body-kinds.ts'
export { headKinds } from './head-kinds.ts'
export type { WireCheck, WireKind } from './kind.ts'

export const wireKinds: readonly WireKind[] = [...headKinds, ...bodyKinds]
