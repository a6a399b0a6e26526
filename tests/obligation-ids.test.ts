/**
 * Ids of obligations are made in one file, and never taken apart: an id of an operation may have any characters. Who has to know what an
 * obligation or a violation is about asks for its subject.
 */
import { execFile } from 'node:child_process'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from './folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const rooms = ['spec', 'generator', 'mock', 'conformance', 'reports', 'playwright-runner', 'cli']
const maker = 'spec/obligations/obligation-id.ts'

/** Files in which ids meet patterns, and why. */
const allowed: Readonly<Record<string, string>> = {
  'spec/obligations/selection.ts': 'a user selects obligations by patterns of their ids',
  'spec/routes/request-pattern.ts': 'a user selects operations by patterns of their ids',
  'mock/mounts/drift.ts':
    'a test allows its client to break what has a name that the test gives, or one below it',
}

const files = globSync(`{${rooms.join(',')}}/**/*.ts`, { cwd: root }).sort()

const textMethods =
  'split|includes|endsWith|startsWith|slice|substring|substr|indexOf|lastIndexOf|replace|replaceAll|match|matchAll|search|at|charAt|charCodeAt|codePointAt'
const namesId = '(?:\\b(?:id|obligation|breaks)|[a-z]Id|\\bids\\[[^\\]]*\\])'
const families =
  'request|auth|response|state|ownership|idempotency|conditional|stability|unspecified|protocol'

/** How an id is taken apart where its type does not show. */
const spellings: readonly RegExp[] = [
  // id.split('/'), finding.obligation.includes('/echo/')
  new RegExp(`${namesId}[!?]?\\.(?:${textMethods})\\(`),
  // pattern.test(id)
  new RegExp(`\\.(?:test|exec)\\((?:[\\w.?!]*\\.)?${namesId}\\)`),
  // breaks.startsWith(`${operation.id}/`)
  new RegExp(`\\.(?:${textMethods})\\([^()]*\\$\\{[^}]*(?:${namesId}|\\boperation)\\}/`),
  // text.includes('/unspecified/'), and the same as a regular expression
  new RegExp(
    `\\.(?:${textMethods})\\(\\s*['"\`/][^'"\`\\n]*/(?:${families}|echo|headers)(?:\\\\?/|\\$|['"\`])`,
  ),
  new RegExp(`/[^/\\n]*\\\\/(?:${families}|echo|headers)(?:\\\\/|\\$).*/[a-z]*\\.(?:test|exec)\\(`),
]

/** The lines of a text, without comments, in which an id is taken apart. */
const takenApart = (text: string): readonly string[] =>
  text
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    // A chain of calls is one line.
    .replace(/\n\s*(?=[.?])/g, '')
    .split('\n')
    .filter(line => spellings.some(spelling => spelling.test(line)))
    .map(line => line.trim())

describe('no text of an id is read', () => {
  test.each([
    "const [operation] = id.split('/')",
    "violations.filter(({ id }) => id.endsWith('/response/declared'))",
    'const place = violation.id.slice(place.length)',
    "if (finding.obligation.includes('/echo/')) return",
    'return /\\/type\\/[a-z]+$/.test(each.id)',
    `!breaks.startsWith(\`\${operation.id}/\`)`,
    "const questions = [...keys].filter(key => key.includes('/unspecified/'))",
    "mutantId?.replace(/x/, '')",
    '/\\/stability\\/pairing$/.test(name)',
  ])('the law sees %s', line => {
    expect(takenApart(line)).toEqual([line])
  })

  test('by the names of things', () => {
    const found = files
      .filter(file => !(file in allowed))
      .flatMap(file => takenApart(readFileSync(join(root, file), 'utf8')).map(line => `${file}: ${line}`))
    expect(found).toEqual([])
  })

  test('by their types, whatever they are called; and no other file makes one', async () => {
    const folder = emptyFolder()
    for (const name of [...rooms, 'index.ts', 'package.json', 'tsconfig.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    // An id as a text that has no methods of texts.
    const source = readFileSync(join(root, maker), 'utf8')
    const opaque =
      "string & { readonly [Method in Exclude<keyof string, number | 'length' | 'toString' | 'valueOf' | symbol>]: never }"
    const declaration = 'export type ObligationId = string\n'
    expect(source).toContain(declaration)
    writeFileSync(join(folder, maker), source.replace(declaration, `export type ObligationId = ${opaque}\n`))
    writeFileSync(
      join(folder, 'spec/taken-apart.ts'),
      `import type { Obligation } from './index.ts'
export const apart = ({ id: name }: Obligation) => name.split('/')
export const made = (of: Obligation): Obligation => ({ ...of, id: \`\${of.operation}/auth/absent\` })
`,
    )
    writeFileSync(
      join(folder, 'tsconfig.law.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        include: ['index.ts', ...rooms],
        exclude: ['node_modules', 'mock/console/page'],
      }),
    )
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const output = await promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.law.json'], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    }).then(
      () => '',
      (error: { readonly stdout: string }) => error.stdout,
    )
    // TS2349: a method that it does not have is called. TS2322: another text is used as an id.
    const found = [...output.matchAll(/^(\S+)\(\d+,\d+\): error (TS2349|TS2322):/gm)].map(
      ([, file, code]) => `${file} ${code}`,
    )
    expect(found.sort()).toEqual([
      `${maker} TS2322`,
      'spec/taken-apart.ts TS2322',
      'spec/taken-apart.ts TS2349',
    ])
  }, 60_000)
})
