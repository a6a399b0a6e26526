import { bodyKinds } from './body.ts'
import { headKinds } from './head.ts'
import type { MalformedHttpKind } from './kind.ts'
import { ordinaryBodyKinds, ordinaryHeadKinds } from './ordinary.ts'

export { bodyKinds } from './body.ts'
export { headKinds } from './head.ts'
export type { MalformedHttpCheck, MalformedHttpKind } from './kind.ts'
export { ordinaryBodyKinds, ordinaryHeadKinds } from './ordinary.ts'

export const malformedHttpKinds: readonly MalformedHttpKind[] = [
  ...headKinds,
  ...bodyKinds,
  ...ordinaryHeadKinds,
  ...ordinaryBodyKinds,
]
