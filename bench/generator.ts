/** Counts for how many satisfiable schemas of the official JSON Schema Test Suite the generator finds values. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SampleOptions, sampleSchema } from '../generator/index.ts'

type Schema = Parameters<typeof sampleSchema>[0]
type Kind = SampleOptions['kind']
type Group = {
  readonly description: string
  readonly schema: Schema
  readonly tests: readonly { readonly valid: boolean }[]
}

const count = 50
const draft = 'tests/draft2020-12'

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T

/** The schemas that the suite serves under `localhost:1234`, by URI, without those of other drafts. */
const remotesOf = (folder: string): Readonly<Record<string, Schema>> => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json') && !/^(draft(?!2020-12)|v1)/.test(file))
    .map(file => file.replaceAll('\\', '/'))
  return Object.fromEntries(
    files.map(file => [`http://localhost:1234/${file}`, read<Schema>(join(folder, file))]),
  )
}

const measure = async (suite: string, kind: Kind): Promise<void> => {
  const documents = remotesOf(join(suite, 'remotes'))
  const unsupported: string[] = []
  let all = 0
  let longest = 0
  for (const file of readdirSync(join(suite, draft)).filter(name => name.endsWith('.json')))
    for (const { description, schema, tests } of read<readonly Group[]>(join(suite, draft, file))) {
      if (!tests.some(({ valid }) => valid === (kind === 'valid'))) continue
      all += 1
      const start = performance.now()
      const sample = await sampleSchema(schema, { kind, count, seed: 1, documents })
      longest = Math.max(longest, performance.now() - start)
      if ('unsupported' in sample) unsupported.push(`  ${file}: ${description}: ${sample.unsupported}`)
    }
  const supported = all - unsupported.length
  const share = ((100 * supported) / all).toFixed(1)
  console.log(
    `${kind}: ${count} values each for ${supported} of ${all} schemas (${share} %), the slowest in ${Math.round(longest)} ms; unsupported:`,
  )
  for (const line of unsupported) console.log(line)
}

const [suite] = process.argv.slice(2)
if (suite === undefined || !existsSync(join(suite, draft))) {
  console.error(
    'usage: npm run bench:generator -- FOLDER, a checkout of json-schema-org/JSON-Schema-Test-Suite',
  )
  process.exitCode = 2
} else for (const kind of ['valid', 'invalid'] as const) await measure(suite, kind)
