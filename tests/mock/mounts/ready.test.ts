import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const name = { type: 'string' }
const media = {
  schema: { type: 'object', required: ['name'], properties: { name } },
  example: { name: 'Fern' },
}
// An example is enough for the first response, and not for others.
const documented = writeDocument(
  'documented.json',
  documentWith({
    '/plant': { get: { responses: { 200: { description: 'ok', content: { 'application/json': media } } } } },
  }),
)

/** Runs in a process of its own: in this one, another test may have loaded Prism. */
const script = `
import { createRequire } from 'node:module'
import { createHandler } from './mock/index.ts'
const { cache } = createRequire(process.cwd() + '/index.ts')
const isPrismLoaded = () => Object.keys(cache).some(file => /prism-http/.test(file))
const seen = []
for (const contract of [undefined, ${JSON.stringify(documented)}]) {
  const handler = await createHandler({ contract })
  seen.push(isPrismLoaded())
  await handler.ready()
  seen.push(isPrismLoaded())
}
console.log(JSON.stringify(seen))
`

test('ready loads what makes up values, unless all of them come from requests', async () => {
  const args = ['--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, timeout: 60_000 })
  expect(JSON.parse(stdout)).toEqual([false, false, false, true])
})
