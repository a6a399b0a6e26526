/**
 * Breaks files in small ways by Stryker and runs the tests that mirror them: `npm run mutation -- conformance/confirm`. It prints what no test
 * notices. Without files it takes those that differ from main; `--sample 60 --seed 1` breaks only some lines of them.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseSync, Visitor } from 'oxc-parser'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = ['spec', 'generator', 'mock', 'conformance', 'reports']
const tool = join(root, 'tests/mutation')
const folder = 'test-results/mutation'

type Mutant = {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: Record<'start' | 'end', { readonly line: number; readonly column: number }>
}
type Report = {
  readonly files: Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>
}

type Count = { found: number; survived: number }

/** The tests of a file: those in the nearest folder that mirrors one of its folders, and below it. */
const testsOf = (file: string): string => {
  let mirrored = dirname(file)
  while (mirrored.includes('/') && globSync(`tests/${mirrored}/**/*.test.ts`, { cwd: root }).length === 0)
    mirrored = dirname(mirrored)
  return mirrored.includes('/') ? `tests/${mirrored}/**/*.test.ts` : `tests/${mirrored}/*.test.ts`
}

/** The files that are named, in folders as well; those that differ from main if none is. */
const filesOf = (given: readonly string[]): readonly string[] => {
  const changed = (): readonly string[] =>
    execFileSync('git', ['diff', '--name-only', '--diff-filter=d', 'main...'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(file => file.endsWith('.ts') && rooms.some(room => file.startsWith(`${room}/`)))
  const inFolder = (path: string): readonly string[] =>
    path.endsWith('.ts') || path.includes(':')
      ? [path]
      : globSync(`${path}/**/*.ts`, { cwd: root }).toSorted()
  const files = given.length > 0 ? given.flatMap(inFolder) : changed()
  // Browsers run the page of the console; its tests take a minute.
  return files.filter(file => !file.includes('/page/') && !/(?:^|\/)(?:index|entry|defaults)\.ts$/.test(file))
}

/** The lines with a condition, a comparison, a call or arithmetic. */
const linesOf = (file: string): readonly string[] => {
  const source = readFileSync(join(root, file), 'utf8')
  const lines = new Set<number>()
  const add = ({ start }: { readonly start: number }): void => {
    lines.add(source.slice(0, start).split('\n').length)
  }
  new Visitor({
    BinaryExpression: add,
    LogicalExpression: add,
    ConditionalExpression: add,
    IfStatement: add,
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (/^(?:some|every|filter|slice|find|toSorted|min|max)$/.test(callee.property.name))
        add(callee.property)
    },
    UnaryExpression: add,
  }).visit(parseSync(file, source).program)
  return [...lines].toSorted((a, b) => a - b).map(line => `${file}:${line}-${line}`)
}

/** Some of the lines, which follow from a seed, in their order. */
const sampled = (lines: readonly string[], size: number, seed: string): readonly string[] => {
  const rank = (line: string): string => createHash('sha256').update(`${seed} ${line}`).digest('hex')
  const chosen = new Set(lines.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, size))
  return lines.filter(line => chosen.has(line))
}

/** Breaks these places, one by one, and gives what came of it. */
const mutate = (tests: string, places: readonly string[]): Report => {
  mkdirSync(join(root, folder), { recursive: true })
  const config = `${folder}/stryker.json`
  const fileName = `${folder}/report.json`
  const options = {
    mutate: places,
    testRunner: 'vitest',
    // A test that finds a mutant may read what another test has computed: which ran which code says too little.
    coverageAnalysis: 'all',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Some tests change the folder of their process, which threads cannot.
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false, pool: 'forks' },
    reporters: ['json'],
    jsonReporter: { fileName },
    // Stryker rewrites it by the programming interface of TypeScript, which version 7 has not.
    tsconfigFile: 'none',
    tempDirName: `${folder}/sandbox`,
    concurrency: 1,
    timeoutMS: 30_000,
    logLevel: 'error',
    allowConsoleColors: false,
  }
  writeFileSync(join(root, config), JSON.stringify(options))
  const stryker = join(tool, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTATION_TESTS: tests },
  })
  if (status !== 0) {
    console.error(`Stryker ended with ${status}: do ${tests} pass?`)
    process.exitCode = 1
    return { files: {} }
  }
  return JSON.parse(readFileSync(join(root, fileName), 'utf8'))
}

/** The first line of what stands there now, and of what stood there. */
const change = (source: string, { location: { start, end }, replacement = '' }: Mutant): string => {
  const lines = source.split('\n')
  const at = (line: number): number =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  const before = source.slice(at(start.line) + start.column - 1, at(end.line) + end.column - 1)
  const [from, to] = [before, replacement].map(text => text.replace(/\s+/g, ' ').slice(0, 100))
  return `${from} → ${to}`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, tests: { type: 'string' } },
})
if (!existsSync(join(tool, 'node_modules')))
  execFileSync('npm', ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund'], {
    cwd: tool,
    stdio: 'inherit',
  })
const files = filesOf(positionals)
const places =
  values.sample === undefined ? files : sampled(files.flatMap(linesOf), Number(values.sample), values.seed)
const counts: Record<string, Count> = {}
const groups = Map.groupBy(places, place => values.tests ?? testsOf(place.replace(/:.*/, '')))
for (const [tests, group] of groups) {
  console.log(`\n${tests}`)
  for (const [file, { source, mutants }] of Object.entries(mutate(tests, group).files))
    for (const mutant of mutants) {
      const isFound = ['Killed', 'Timeout', 'RuntimeError'].includes(mutant.status)
      counts[dirname(file)] ??= { found: 0, survived: 0 }
      const count = counts[dirname(file)] as Count
      count[isFound ? 'found' : 'survived'] += 1
      if (!isFound) {
        const what = mutant.status === 'NoCoverage' ? 'not run' : 'survived'
        console.log(`  ${what} ${file}:${mutant.location.start.line} ${change(source, mutant)}`)
      }
    }
}
console.log()
console.table(counts)
