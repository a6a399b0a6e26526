import { release } from 'node:os'
import type { Environment } from '../../reports/index.ts'
import { packages } from './product.ts'

/** Where this process runs, for a bundle. It names no person and no machine. */
export const runtimeInfo = (of: Environment['of']): Environment => ({
  of,
  node: process.versions.node,
  platform: process.platform,
  release: release(),
  arch: process.arch,
  packages,
})
