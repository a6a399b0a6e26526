import { existsSync, readFileSync } from 'node:fs'

/** Name and version, from the package's own package.json: beside `cli/` in a checkout, above `dist/` when installed. */
export const product: { readonly name: string; readonly version: string } = (() => {
  const file = [
    new URL('../package.json', import.meta.url),
    new URL('../../package.json', import.meta.url),
  ].find(url => existsSync(url))
  const { name, version } = JSON.parse(readFileSync(file as URL, 'utf8')) as { name: string; version: string }
  return { name, version }
})()
