/** Preloaded (`node --import`): the package that WITHOUT names loads, but whatever uses it throws. */
import { registerHooks } from 'node:module'

const name = process.env.WITHOUT ?? ''
/** The names that are imported of each. */
const names: Readonly<Record<string, readonly string[]>> = {
  ajv: ['Ajv2020', 'ValidationError'],
  'fast-check': ['Arbitrary', 'Value', 'sample', 'stream', 'subarray'],
  playwright: ['test', 'expect', 'chromium'],
  '@stoplight/prism-http': ['createInstance', 'getHttpOperationsFromSpec'],
}

registerHooks({
  resolve: (specifier, context, next) => {
    const isIt = specifier === name || specifier.startsWith(`${name}/`)
    // Packages that need it have it.
    return isIt && context.parentURL?.includes('/node_modules/') !== true
      ? { url: 'without:', format: 'module', shortCircuit: true }
      : next(specifier, context)
  },
  load: (url, context, next) =>
    url === 'without:'
      ? {
          format: 'module',
          shortCircuit: true,
          source: `
            const fail = () => { throw new Error(${JSON.stringify(`used without ${name}`)}) }
            const absent = new Proxy(class {}, { apply: fail, construct: fail, get: (of, key) => key === 'prototype' ? of.prototype : fail })
            export default absent
            ${(names[name] ?? []).map(each => `export const ${each} = absent`).join('\n')}`,
        }
      : next(url, context),
})
