/** The workflow that measures what lands. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const text = read('.github/workflows/bench.yml')
const document = parseDocument(text)
type Step = { readonly uses?: string; readonly run?: string; readonly with?: { readonly path?: string } }
const { jobs, permissions } = document.toJS() as {
  readonly jobs: { readonly bench: { readonly steps: readonly Step[] } }
  readonly permissions: object
}
const { steps } = jobs.bench

test('it parses, only reads, and its scripts take nothing from expressions', () => {
  expect([...document.errors, ...document.warnings]).toEqual([])
  expect(Object.values(permissions)).toEqual(['read', 'read'])
  expect(steps.filter(({ run = '' }) => run.includes('${{'))).toEqual([])
})

test('every action is a commit, and the same one as where a version is published', () => {
  const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action)
  expect(used).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length)
  for (const action of used) expect(read('.github/workflows/release.yml')).toContain(`uses: ${action}\n`)
})

test('it keeps the file that the benchmarks write, by a script that exists', () => {
  const script = steps.map(({ run = '' }) => run).find(run => run.includes('npm run -s bench'))
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  expect(scripts.bench).toBe('node bench/all.ts')
  const [, file] = /--out (\S+)/.exec(script ?? '') ?? []
  expect(steps.find(({ uses = '' }) => uses.includes('upload-artifact'))?.with?.path).toBe(file)
})
