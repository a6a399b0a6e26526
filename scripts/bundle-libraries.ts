import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The compiled files that get their libraries into themselves; the licences go beside each. */
export const prism = 'spec/prism-library.js'
export const certificates = 'mock/server/self-signed.js'
const cache = 'mock/lru-cache.js'
export const jsonPath = 'spec/openapi/overlay/json-path-library.js'
export const xPath = 'spec/flows/xpath-library.js'
export const timeStamps = 'reports/bundle/tsp-library.js'

/**
 * Puts Prism into the compiled `prism-library.js`, what makes certificates into `self-signed.js`, what reads time stamps into
 * `tsp-library.js`, the cache into `lru-cache.js`, and JSONPath and XPath into `json-path-library.js` and `xpath-library.js`: installed, they would bring many packages
 * and files, most of which nothing here uses. They are not minified, so that they can be read and scanned, except XPath, which comes minified. Ajv stays a dependency: the
 * package has it anyway.
 */
export const bundleLibraries = async (dist: string): Promise<void> => {
  for (const file of [prism, certificates, timeStamps, cache, jsonPath, xPath]) await bundleInto(dist, file)
  // Their types are those of packages that are not installed, and no public type needs them.
  for (const file of [cache, jsonPath, xPath]) rmSync(join(dist, file.replace(/\.js$/, '.d.ts')))
  writeFileSync(join(dist, prism.replace(/\.js$/, '.d.ts')), prismTypes)
  const types = join(dist, certificates.replace(/\.js$/, '.d.ts'))
  writeFileSync(types, readFileSync(types, 'utf8').replace(/^import 'reflect-metadata';\n/m, ''))
}

/** No public type has more of it. */
const prismTypes =
  'export declare const createInstance: unknown, faker: unknown, getHttpOperationsFromSpec: unknown\n'

const bundleInto = async (dist: string, name: string): Promise<void> => {
  const file = join(dist, name)
  const licences = name.replace(/\.js$/, '.licenses.txt')
  const bundle = await rolldown({
    input: file,
    // Browsers have the cache as well.
    platform: name === cache ? 'browser' : 'node',
    plugins: [withExports],
    external: [/^ajv(?:\/|$)/],
    resolve: {
      alias: {
        // Prism calls the English faker only; the whole has seventy languages.
        '@faker-js/faker': '@faker-js/faker/locale/en',
        // Its main file loads others by a name of its own for `require`.
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
        // The one that can be read.
        'lru-cache': 'lru-cache/raw',
        // Node warns of its own, but not inside node_modules.
        punycode: 'punycode/punycode.js',
      },
    },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, minify: name === xPath })
  await bundle.close()
  const [chunk, ...others] = output
  if (others.length > 0)
    throw new Error(`${name} needs more than one file: ${others.map(other => other.fileName)}`)
  writeFileSync(join(dist, licences), licencesOf(chunk.moduleIds))
  writeFileSync(
    file,
    `// Made of other packages, whose licences are in ${licences.split('/').at(-1)}.\n${chunk.code}`,
  )
}

/** Node gives a CommonJS file its exports as `this`; a bundler that sees neither `require` nor `exports` does not. */
const withExports = {
  name: 'exports as this',
  transform: (code: string, id: string) =>
    id.includes('/uri-template-lite/') ? code.replaceAll('this.URI', 'exports.URI') : null,
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** `…/node_modules/@scope/name` of a module in it; null for our own. */
const packageFolder = (module: string): string | null =>
  // What the bundler adds of its own has no file.
  module.startsWith('\0rolldown/')
    ? join(root, 'node_modules/rolldown')
    : (/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll('\\', '/'))?.[0] ?? null)

type Manifest = {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly licenses?: readonly { readonly type: string }[]
  readonly author?: string | { readonly name: string }
}

/** Those that ask for their text to be kept, and for no more. */
const permitted = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
])

/** The licences of all packages that these modules are of. */
export const licencesOf = (modules: readonly string[]): string => {
  const mit = readFileSync(join(root, 'LICENSE'), 'utf8')
  const folders = new Set(modules.map(packageFolder).filter(folder => folder !== null))
  const licences = [...folders].sort().map(folder => licenceOf(folder, mit))
  return `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

const licenceOf = (folder: string, mit: string): string => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, author } = manifest
  const licence = manifest.license ?? manifest.licenses?.[0]?.type ?? 'none'
  if (!permitted.has(licence))
    throw new Error(`${name} ${version} has the licence ${licence}: may it be bundled?`)
  const files = globSync('{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*', { cwd: folder }).sort()
  // Some name the licence MIT, and do not have its text.
  if (files.length === 0 && licence !== 'MIT')
    throw new Error(`${name} ${version} has no text of its licence`)
  const owner = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`
  const texts =
    files.length === 0
      ? [mit.replace(/^Copyright .*$/m, `Copyright (c) ${owner}`)]
      : files.map(file => readFileSync(join(folder, file), 'utf8'))
  return [`${name} ${version} (${licence})`, ...texts.map(text => text.trim())].join('\n\n')
}
