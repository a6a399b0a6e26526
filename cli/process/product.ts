import { existsSync, readFileSync } from 'node:fs'
import { release } from 'node:os'
import type { Environment } from '../../reports/index.ts'

type Package = {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

// Above `cli/` in a checkout, above `dist/` in an installed package.
const { name, version, dependencies } = (() => {
  const file = [
    new URL('../../package.json', import.meta.url),
    new URL('../../../package.json', import.meta.url),
  ].find(url => existsSync(url))
  return JSON.parse(readFileSync(file as URL, 'utf8')) as Package
})()

/** Name and version, from the package's own package.json. */
export const product: { readonly name: string; readonly version: string } = { name, version }

/** Its dependencies with their exact versions. */
const packages: Readonly<Record<string, string>> = dependencies

/** Where this process runs, for a bundle. It names no person and no machine. */
export const runtimeInfo = (of: Environment['of']): Environment => ({
  of,
  node: process.versions.node,
  platform: process.platform,
  release: release(),
  arch: process.arch,
  packages,
})
