/** Node's `node:http`. Imported as a module, it would load the client behind `fetch` as well. */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http')
