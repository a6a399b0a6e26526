import { release } from 'node:os'
import type { Environment } from '../../reports/index.ts'
import { packages } from './product.ts'

/** Where this process runs, for a bundle: nothing of it names a person or a machine. */
export const surroundings = (of: Environment['of']): Environment => ({
  of,
  node: process.versions.node,
  platform: process.platform,
  release: release(),
  arch: process.arch,
  packages,
})
