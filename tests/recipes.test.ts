/** The recipes of docs/architecture.md, followed in a copy of the code: the files that a recipe names, and no others, are changed. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { emptyFolder } from './folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** The files that a recipe names: each is at the beginning of a numbered line. */
const filesOf = (recipe: string): readonly string[] => {
  const [, text = ''] = page.split(`<!-- recipe: ${recipe} -->`)
  // Of its heading and the next one.
  const [, steps = ''] = text.split(/^### .*$/m)
  return [...steps.matchAll(/^\d+\. `([\w/.-]+)`/gm)].map(([, file = '']) => file)
}

/** The new text of a file, from the one that it has; from `''` if there is none. */
type Edit = (text: string) => string

const after =
  (place: string, line: string): Edit =>
  text => {
    expect(text).toContain(place)
    return text.replace(place, `${place}\n${line}`)
  }

const all =
  (...edits: readonly Edit[]): Edit =>
  text =>
    edits.reduce((now, edit) => edit(now), text)

const tap = `import type { Ledger } from '../../spec/index.ts'
import { problemsOf } from '../view/problem.ts'

/** The findings in the Test Anything Protocol. */
export const tap = (ledger: Ledger): string => {
  const problems = problemsOf(ledger)
  const lines = problems.map(({ title }, index) => \`not ok \${index + 1} - \${title}\`)
  return ['TAP version 14', \`1..\${problems.length}\`, ...lines, ''].join('\\n')
}
`

const dpopKinds = `import { placeholder } from '../../http/credential-placeholders.ts'
import { type CredentialKind, kind, known, none } from './credential-kind.ts'

export const dpopKinds: readonly CredentialKind[] = [
  kind('absent', 'without credentials', [none]),
  kind('wrong-token', 'with another token', [[\`DPoP \${placeholder('other')}\`]], known),
]
`

const edits: Readonly<Record<string, Readonly<Record<string, Edit>>>> = {
  'report format': {
    'reports/formats/tap.ts': () => tap,
    'reports/defaults.ts': after("  'record',", "  'tap',"),
    'reports/formats/report.ts': all(
      after("import { sarif } from './sarif.ts'", "import { tap } from './tap.ts'"),
      after(
        'export const reports: Readonly<Record<FormatName, Format>> = {',
        "  tap: { file: 'report.tap', mediaType: 'text/plain', ...whole(tap) },",
      ),
    ),
  },
  'authentication scheme': {
    'spec/http/authorization-schemes.ts': after(
      'export const authorizationSchemes = {',
      "  dpop: { name: 'DPoP', right: placeholder('right'), isToken: true, challenge: error => error },",
    ),
    'spec/obligations/inputs/dpop.ts': () => dpopKinds,
    'spec/obligations/inputs/credentials.ts': all(
      after("import { bearerKinds } from './bearer.ts'", "import { dpopKinds } from './dpop.ts'"),
      after('  bearer: bearerKinds,', '  dpop: dpopKinds,'),
    ),
  },
  'value rule': {
    'mock/values/likely/faker-methods.ts': after(
      'const methods: readonly (readonly [name: RegExp, method: string])[] = [',
      "  [/^soil$/i, 'finance.iban'],",
    ),
  },
}

const document = (scheme: string): string => `openapi: 3.1.0
info: { title: Garden, version: '1' }
security: [{ own: [] }]
paths:
  /beds:
    get:
      operationId: getBeds
      responses:
        '200': { description: beds, content: { application/json: { schema: { $ref: '#/components/schemas/Bed' } } } }
        '401': { description: the credentials are wrong }
components:
  securitySchemes: { own: { type: http, scheme: ${scheme} } }
  schemas: { Bed: { type: object, required: [soil], properties: { soil: { type: string } } } }
`

const rooms = ['spec', 'generator', 'mock', 'conformance', 'reports', 'cli']

/** A copy of the rooms in which a recipe was followed. */
const followed = (recipe: string, scheme = 'bearer'): string => {
  const folder = emptyFolder()
  for (const room of rooms) cpSync(join(root, room), join(folder, room), { recursive: true })
  for (const file of ['package.json', 'index.ts']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const base = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
  const config = { ...base, include: rooms, exclude: ['node_modules', 'mock/console/page'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'openapi.yaml'), document(scheme))
  for (const name of filesOf(recipe)) {
    const file = join(folder, name)
    const edit = edits[recipe]?.[name] as Edit
    writeFileSync(file, edit(existsSync(file) ? readFileSync(file, 'utf8') : ''))
  }
  return folder
}

const run = (cwd: string, ...args: readonly string[]) => {
  const { FORCE_COLOR: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...env, NO_COLOR: '1' },
  })
  return { code: status, output: stdout + stderr }
}

const compiled = (folder: string) =>
  run(folder, join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')

describe.each(Object.keys(edits))('the recipe for a new %s', recipe => {
  test('names the files that have to be changed, at most four', () => {
    expect(filesOf(recipe)).toEqual(Object.keys(edits[recipe] ?? {}))
    expect(filesOf(recipe).length).toBeLessThanOrEqual(4)
  })
})

test('a report format needs no other file', () => {
  const folder = followed('report format')
  expect(compiled(folder)).toEqual({ code: 0, output: '' })
  const flags = ['--token', 'secret', '--cases', '60', '--seed', '1', '--allow-partial', '--no-config']
  const { code, output } = run(
    folder,
    ...['cli/main.js', 'verify', 'embedded-mock', '--spec', 'openapi.yaml', '--report', 'tap', ...flags],
  )
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'plantstore-report/report.tap'), 'utf8')).toMatch(
    /^TAP version 14\n1\.\.1\nnot ok 1 - PARTIAL: \d+ of \d+ requirements tested/,
  )
  expect(run(folder, 'cli/main.js', 'verify', '--help').output).toMatch(/--report <formats>[\s\S]*\btap\b/)
})

test('an authentication scheme needs no other file', () => {
  const folder = followed('authentication scheme', 'dpop')
  expect(compiled(folder)).toEqual({ code: 0, output: '' })
  const { code, output } = run(
    folder,
    ...['cli/main.js', 'verify', 'embedded-mock', '--spec', 'openapi.yaml', '--seed', '1', '--no-config'],
    ...['--verbose'],
  )
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toContain('CONFORMANT')
  const listed = run(folder, 'cli/main.js', 'obligations', '--spec', 'openapi.yaml').output
  expect(listed).toContain('getBeds/auth/wrong-token')
})

test('a value rule needs no other file', () => {
  const folder = followed('value rule')
  const program = `import { createHandler } from './mock/index.ts'
const handler = await createHandler({ contract: 'openapi.yaml' })
await handler.ready()
const response = await handler(new Request('http://any.test/beds', { headers: { authorization: 'Bearer a' } }))
console.log((await response.json()).soil)
await handler.close()
`
  writeFileSync(join(folder, 'program.ts'), program)
  const { code, output } = run(folder, 'program.ts')
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output.trim()).toMatch(/^[A-Z]{2}\d{2}[A-Z0-9]{10,}$/)
})
