import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { configurable } from '../../../cli/commands/verbs.ts'
import { checkConfig } from '../../../cli/config/check-config.ts'
import { readConfig } from '../../../cli/config/config-file.ts'
import { type Config, defineConfig } from '../../../index.ts'
import { configSchema, configSchemaText } from '../../../scripts/config-schema.ts'
import { compileSchema, type Json } from '../../../spec/index.ts'
import { emptyFolder, plantstore } from '../command.ts'

const file = 'plantstore.config.yaml'
const verbs = configurable(() => {})

/** A folder with these files in it. */
const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const sample = `unauthenticated: either
timeout: 2s
verify:
  url: http://127.0.0.1:4999
  cases: 300
  token: \${STAGING}
  header: ['X-Key: \${STAGING}']
  report:
    - json
    - junit
  out: from-file
mock:
  cors: false
`

type Told = {
  readonly settings: readonly {
    readonly name: string
    readonly value: string | null
    readonly origin: object
  }[]
}

const told = (stdout: string, name: string): unknown =>
  (JSON.parse(stdout) as Told).settings.find(setting => setting.name === name)

describe('flags go over the environment, that over the file, that over defaults', () => {
  const cwd = folderOf({ [file]: sample })
  const env = { STAGING: 'se-cret', PLANTSTORE_OUT: 'from-environment', PLANTSTORE_CASES: '200' }

  test('and «config» tells of each value where it comes from, without the secrets', async () => {
    const { code, stdout, stderr } = await plantstore(
      ['config', 'verify', '--cases', '5', '--format', 'json'],
      { cwd, env },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('se-cret')
    const origin = (kind: string, at: string | null) => ({ kind, at })
    expect(told(stdout, 'cases')).toEqual({ name: 'cases', value: '5', origin: origin('flag', '--cases') })
    expect(told(stdout, 'out')).toEqual({
      name: 'out',
      value: 'from-environment',
      origin: origin('environment', 'PLANTSTORE_OUT'),
    })
    expect(told(stdout, 'report')).toEqual({
      name: 'report',
      value: 'json,junit',
      origin: origin('file', `${file}:8`),
    })
    expect(told(stdout, 'timeout')).toEqual({
      name: 'timeout',
      value: '2s',
      origin: origin('file', `${file}:2`),
    })
    expect(told(stdout, 'concurrency')).toEqual({
      name: 'concurrency',
      value: '16',
      origin: origin('default', null),
    })
    expect(told(stdout, 'seed')).toEqual({ name: 'seed', value: null, origin: origin('default', null) })
    expect(told(stdout, 'token')).toEqual({
      name: 'token',
      value: '(not shown)',
      origin: origin('file', `${file}:6, STAGING`),
    })
    expect(told(stdout, 'header')).toMatchObject({ value: 'X-Key: …' })
    expect(told(stdout, 'url')).toEqual({
      name: 'url',
      value: 'http://127.0.0.1:4999/',
      origin: origin('file', `${file}:4`),
    })
  })

  test('and as a table', async () => {
    const [verify, mock] = await Promise.all([
      plantstore(['config', 'verify', 'http://a.test', '--seed', '3'], { cwd, env }),
      plantstore(['config', 'mock'], { cwd }),
    ])
    await expect(verify.stdout).toMatchFileSnapshot('golden/config-verify.txt')
    await expect(mock.stdout).toMatchFileSnapshot('golden/config-mock.txt')
  })
})

test('a run goes by a configuration in TypeScript, and by paths from its folder', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const cwd = folderOf({
    'package.json': '{}',
    'plantstore.config.ts': `import { defineConfig } from '${pathToFileURL(join(root, 'index.ts')).href}'
const cases: number = 150
export default defineConfig({ verify: { cases, only: 'createPlant/auth', seed: 9, report: ['json'], out: 'told', pins: 'pins.yaml' } })
`,
    'pins.yaml': 'version: 1\npins: []\n',
  })
  const within = join(cwd, 'within')
  mkdirSync(within)
  const [ran, other, none] = await Promise.all([
    plantstore(['verify'], { cwd }),
    plantstore(['verify', '--config', '../plantstore.config.ts', '--out', 'own'], { cwd: within }),
    plantstore(['config', '--no-config', '--format', 'json'], { cwd }),
  ])
  expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/plantstore:|Warning/) })
  const report = JSON.parse(readFileSync(join(cwd, 'told/report.json'), 'utf8'))
  expect(report.run).toMatchObject({
    seed: 9,
    budget: { cases: 150 },
    selection: { only: ['createPlant/auth'] },
  })
  expect(other.code).toBe(0)
  expect(existsSync(join(within, 'own/report.json'))).toBe(true)
  expect(told(none.stdout, 'seed')).toMatchObject({ value: null })
})

test('waivers may stand in the configuration itself', async () => {
  const cwd = folderOf({
    [file]:
      'verify:\n  waivers:\n    - { obligation: createPlant/none, reason: r, owner: o, expires: 2999-12-31 }\n',
  })
  const { code, stderr } = await plantstore(['verify'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^plantstore: a waiver matches nothing: the contract has no obligation createPlant\/none: /,
  )
})

const check = async (name: string, text: string): Promise<void> => {
  const path = join(folderOf({ [name]: text }), name)
  const config = await readConfig(path)
  if (config === null) throw new Error('nothing was read')
  checkConfig(config, verbs)
}

describe('what cannot be is refused in one line, with its place', () => {
  test.each([
    ['verify:\n  csaes: 5\n', `${file}:2: verify has no setting csaes (did you mean cases?)`],
    ['verify:\n  wait-for: 5s\n', `${file}:2: verify has no setting wait-for (did you mean waitFor?)`],
    ['cases: 5\n', `${file}:1: cases belongs in a section: verify or selftest`],
    ['timeout: 1s\nveryfi: {}\n', `${file}:2: there is no setting or verb veryfi (did you mean verify?)`],
    ['verify: 5\n', `${file}:1: verify: it must be a map of settings`],
    ['verify:\n  quiet: true\n', `${file}:2: verify.quiet is given by its flag alone`],
    [
      'verify:\n  seed: 1\n  cases: many\n',
      `${file}:3: verify.cases: It must be a whole number from 1 to 10,000,000.`,
    ],
    ['verify:\n  strict: sure\n', `${file}:2: verify.strict: It must be true or false.`],
    ['verify:\n  seed: [1, 2]\n', `${file}:2: verify.seed: It must be one text or number.`],
    ['verify:\n  report: [html, pdf]\n', `${file}:2: verify.report: It must be one or more of ndjson,`],
    ['unauthenticated: 403\n', `${file}:1: unauthenticated: Allowed choices are declared, 401, either.`],
    [
      'verify:\n  token: se-cret\n',
      `${file}:2: verify.token: A token does not belong in a file: name the variable`,
    ],
    ['version: 2\n', `${file}:1: version: this plantstore reads version 1`],
    ['verify:\n  seed: 1\n  seed: 2\n', `the configuration in `],
    ['- verify\n', `${file} holds no configuration: it must be a map of settings`],
  ])('%j', (text, message) => expect(check(file, text)).rejects.toThrow(message))

  test('in JSON and in modules as well', async () => {
    await expect(check('a.json', '{\n  "verify": {\n    "sed": 1\n  }\n}')).rejects.toThrow(
      'a.json:3: verify has no setting sed',
    )
    await expect(check('a.mjs', 'export const config = {}')).rejects.toThrow(
      'holds no configuration: export default',
    )
    await expect(check('a.mjs', "import 'plantstore-contract/none'")).rejects.toThrow(
      'a.mjs cannot be loaded: ',
    )
    await expect(check('a.toml', '')).rejects.toThrow('must end in .ts, .mts, .js, .mjs, .json, .yaml, .yml')
    await expect(readConfig('none.yaml')).rejects.toThrow('the configuration none.yaml is not there')
  })

  test('two of them, and a variable that is not set', async () => {
    const two = await plantstore(['config'], {
      cwd: folderOf({ [file]: '', 'plantstore.config.json': '{}' }),
    })
    expect(two).toMatchObject({
      code: 2,
      stderr: `plantstore: there are plantstore.config.json and ${file}: keep one of them, or name one with --config\n`,
    })
    const unset = await plantstore(['verify'], { cwd: folderOf({ [file]: sample }) })
    expect(unset).toMatchObject({
      code: 2,
      stderr: `plantstore: ${file}:6: verify.token: STAGING is not set in the environment.\n`,
    })
  })
})

describe('the JSON Schema', () => {
  const judge = compileSchema(configSchema() as Record<string, unknown>)

  test('in cli/config/config.schema.json is what the flags say (npm run docs writes it)', () => {
    expect(readFileSync(new URL('../../../cli/config/config.schema.json', import.meta.url), 'utf8')).toBe(
      configSchemaText(),
    )
  })

  const token = `\${STAGING}` as const
  const whole: Config = defineConfig({
    version: 1,
    spec: 'openapi.yaml',
    networkRefs: false,
    token,
    timeout: '500ms',
    header: ['X-Key: 1', 'X-Other: 2'],
    verify: {
      url: 'http://127.0.0.1:4010',
      seed: 1,
      time: 30,
      waitFor: '2m',
      only: ['createPlant'],
      skip: 'createPlant/auth',
      unauthenticated: '401',
      waivers: [{ obligation: 'createPlant', reason: 'r', owner: 'o', expires: '2999-12-31' }],
      baseline: 'plantstore.baseline.yaml',
      report: 'all',
      proxy: 'http://proxy.test:3128',
    },
    mock: { port: 0, cors: false, token },
    obligations: { format: 'markdown' },
    selftest: { workers: 2 },
  })

  test('takes what the command takes, in its every form', async () => {
    expect(judge({ ...whole, unauthenticated: 401 } as unknown as Json)).toEqual([])
    await check(file, stringify({ ...whole, unauthenticated: 401 }))
    await check('a.json', JSON.stringify(whole))
    await check('a.mts', `export default ${JSON.stringify(whole)}`)
  })

  test.each([
    { verify: { cases: 0 } },
    { verify: { casez: 1 } },
    { cases: 1 },
    { verify: { report: ['pdf'] } },
    { verify: { time: 'soon' } },
    { verify: { strict: 'yes' } },
    { mock: { port: 65_536 } },
    { token: 'se-cret' },
    { unauthenticated: '403' },
    { verify: { waivers: 5 } },
    { version: 2 },
  ])('refuses what the command refuses: %j', async value => {
    expect(judge(value as Json)).not.toEqual([])
    await expect(check(file, stringify(value))).rejects.toThrow(`${file}:`)
  })

  test('types what a program may write', () => {
    // @ts-expect-error there is no such setting
    defineConfig({ verify: { casez: 1 } })
    // @ts-expect-error a token does not belong in a file
    defineConfig({ verify: { token: 'se-cret' } })
    // @ts-expect-error a number of no unit
    defineConfig({ verify: { time: '30 seconds' } })
    // @ts-expect-error no format of ours
    defineConfig({ verify: { report: ['pdf'] } })
  })
})

test('every configuration in docs/gate.md is one', async () => {
  const page = readFileSync(new URL('../../../docs/gate.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```(yaml|ts)\n([\s\S]*?)```/g)].map(([, kind, text = '']) => ({
    kind,
    text,
  }))
  const root = new URL('../../../index.ts', import.meta.url).href
  const configs = blocks.filter(({ text }) => /^verify:|defineConfig/m.test(text))
  expect(configs).toHaveLength(3)
  for (const { kind, text } of configs)
    await check(`a.${kind === 'ts' ? 'mts' : 'yaml'}`, text.replace("'plantstore-contract'", `'${root}'`))
})
