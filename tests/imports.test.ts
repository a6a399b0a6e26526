import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'

test('every form of import counts, and nothing else does', () => {
  const text = `
/** An example: import { no } from 'comment' */
import './effect.ts'
import whole from 'default'
import * as all from 'namespace'
import { one, two as deux } from './named.ts'
import type { Kind } from './only-type.ts'
import both, {
  type Other,
  several,
} from '@scope/lines/deep.js'
import data from './data.json' with { type: 'json' }
export { again } from './again.ts'
export type * from './types-again.ts'
export * as group from './group.ts'
// import { no } from 'line'
  // import('no')
export const text = 'from'
export const other = 'import'
const later = (): Promise<unknown> => import('./later.ts')
type Shape = typeof import(
  './shape.ts'
)
`
  expect(importsOf(text)).toEqual([
    './effect.ts',
    'default',
    'namespace',
    './named.ts',
    './only-type.ts',
    '@scope/lines/deep.js',
    './data.json',
    './again.ts',
    './types-again.ts',
    './group.ts',
    './later.ts',
    './shape.ts',
  ])
})
