/**
 * Node's `node:http`. Imported as a module, it would load the client behind `fetch` as well, which takes as long as the rest of Node's
 * own start: a module shows every property that `node:http` has, and some are loaded when they are read.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http')

/** Loaded only where it is wanted. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https')
