/** What a consumer of the package writes: its files are written into an empty folder, beside the installed package. */

/** `typeRoots`: the checkout lends its folder of @types. */
export const tsconfig = (
  resolution: 'nodenext' | 'bundler',
  types: readonly string[],
  typeRoots: string,
): object => ({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    lib: types.length === 0 ? ['es2022', 'dom', 'dom.iterable'] : ['es2022'],
    types,
    typeRoots: [typeRoots],
    // The published declarations are checked as well, as they are all that a user sees.
    skipLibCheck: false,
  },
  files: ['program.ts'],
})

/** Loads everything that the console of the mock loads in a browser. `name`: of the package, here and below. */
export const consoleProgram = (name: string): string => `
import { createMock } from '${name}/mock'

const mock = await createMock()
const loaded = new Set<string>()
const load = async (url: URL): Promise<void> => {
  if (loaded.has(url.href)) return
  loaded.add(url.href)
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(url.href + ' ' + text)
  const names = [...text.matchAll(/(?:from ?|src=|href=)["']([^"'#]+\\.(?:js|css))["']/g)].map(match => match[1] ?? '')
  await Promise.all(names.map(name => load(new URL(name, url))))
}
await load(new URL('/__plantstore/', mock.url))
const libraries = ['preact', 'preact-hooks', 'htm', 'htm-preact']
await Promise.all(libraries.map(name => load(new URL('/__plantstore/library/' + name + '.js', mock.url))))
await mock.close()
if (loaded.size < 30) throw new Error('only ' + loaded.size + ' files')
console.log('all there')
`

/** Uses every entry of the package. */
export const program = (name: string): string => `
import { createMock, type Ledger, loadContract, type Mock, obligationsOf, verify } from '${name}'
import { countVerdicts, type Finding, plantStoreDocument, type RunEvent } from '${name}/spec'
import { createHandler, createMock as createSame, type FetchHandler, type MockOptions } from '${name}/mock'
import { type VerifyOptions, verify as verifySame } from '${name}/conformance'
import { type FormatName, reports } from '${name}/reports'

const same: boolean = createSame === createMock && verifySame === verify
if (!same) throw new Error('an entry has another copy')

const secure = await createMock({ tls: true })
if (!secure.certificate?.startsWith('-----BEGIN CERTIFICATE')) throw new Error('no certificate')
await secure.close()

const mockOptions: MockOptions = { tokens: ['secret'] }
const mock: Mock = await createMock(mockOptions)
const found: Finding[] = []
const options: VerifyOptions = {
  target: mock.url,
  token: 'secret',
  cases: 60,
  seed: 1,
  onEvent: (event: RunEvent) => {
    if (event.type === 'finding') found.push(event)
  },
}
const ledger: Ledger = await verify(options)
await mock.close()

const handler: FetchHandler = await createHandler(mockOptions)
const response: Response = await handler(new Request('https://any.example.test/plants', { method: 'POST' }))
if (response.status !== 400) throw new Error('the handler is another mock')

const contract = await loadContract({ from: decodeURIComponent(plantStoreDocument.pathname) })
const ids: readonly string[] = obligationsOf(contract).map(obligation => obligation.id)
if (ids.length !== ledger.entries.length) throw new Error('another contract')
const format: FormatName = 'junit'
if (!reports[format].write(ledger).startsWith('<?xml')) throw new Error('no report')
const { failed, passed } = countVerdicts(ledger.entries)
// @ts-expect-error a verdict is data, and is not changed
ledger.entries[0].verdict = { kind: 'passed', cases: 0 }

const word = failed === 0 && found.length === 0 && passed > 0 ? 'nothing' : 'something'
console.log(\`\${ledger.end?.conclusion}: \${contract.operations.length} operation, \${word} failed\`)
`

/** Prints what Prism makes of two documents: `node samples.ts LIBRARY FOLDER`, the library and the folder of the documents. */
export const samplesProgram = `
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

const [, , library = '', folder = ''] = process.argv
const { createInstance, faker, getHttpOperationsFromSpec } = await import(library)
const silent = () => undefined
const logger = { trace: silent, debug: silent, info: silent, warn: silent, error: silent, success: silent, child: () => logger }
for (const name of ['library', 'payments']) {
  const document = parse(readFileSync(folder + '/' + name + '.openapi.yaml', 'utf8'), (key, value) =>
    value?.type === 'string' && value.format === undefined && value.enum === undefined && value.pattern === undefined
      ? { ...value, 'x-faker': 'person.fullName' }
      : value,
  )
  const operations = await getHttpOperationsFromSpec(document)
  for (const { method, path, responses } of operations)
    for (const code of responses.map(response => Number(response.code)).filter(Number.isInteger))
      for (const dynamic of [true, false]) {
        const config = { isProxy: false, mock: { dynamic, code, seed: 'seed' } }
        const request = { method, url: { path: path.replace(/\\{[^}]*\\}/g, 'x'), query: {} }, headers: {} }
        faker.seed(1)
        const result = await createInstance(config, { logger }).request(request, operations, config)()
        console.log(method, path, code, dynamic, result._tag, JSON.stringify(result.right?.output ?? result.left))
      }
}
`
