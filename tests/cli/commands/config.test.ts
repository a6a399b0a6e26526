import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { checkConfig, readConfig } from '../../../cli/config/config-file.ts'
import { configurable } from '../../../cli/config/setting.ts'
import { createProgram } from '../../../cli/program.ts'
import { type Config, defineConfig } from '../../../index.ts'
import { configSchema, configSchemaText } from '../../../scripts/config-schema.ts'
import { compileSchema, type Json } from '../../../spec/index.ts'
import { emptyFolder, plantstore } from '../command.ts'

const file = 'plantstore.config.yaml'
const commands = configurable(createProgram().commands)

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

type Shown = {
  readonly settings: readonly {
    readonly name: string
    readonly value: string | null
    readonly origin: object
  }[]
}

const settingIn = (stdout: string, name: string): unknown =>
  (JSON.parse(stdout) as Shown).settings.find(setting => setting.name === name)

describe('flags override the environment, which overrides the file, which overrides defaults', () => {
  const cwd = folderOf({ [file]: sample })
  const env = { STAGING: 'se-cret', PLANTSTORE_OUT: 'from-environment', PLANTSTORE_CASES: '200' }

  test('config prints where each value comes from, without secrets', async () => {
    const { code, stdout, stderr } = await plantstore(
      ['config', 'verify', '--cases', '5', '--format', 'json'],
      { cwd, env },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('se-cret')
    const origin = (kind: string, at: string | null) => ({ kind, at })
    expect(settingIn(stdout, 'cases')).toEqual({
      name: 'cases',
      value: '5',
      origin: origin('flag', '--cases'),
    })
    expect(settingIn(stdout, 'out')).toEqual({
      name: 'out',
      value: 'from-environment',
      origin: origin('environment', 'PLANTSTORE_OUT'),
    })
    expect(settingIn(stdout, 'report')).toEqual({
      name: 'report',
      value: 'json,junit',
      origin: origin('file', `${file}:8`),
    })
    expect(settingIn(stdout, 'timeout')).toEqual({
      name: 'timeout',
      value: '2s',
      origin: origin('file', `${file}:2`),
    })
    expect(settingIn(stdout, 'concurrency')).toEqual({
      name: 'concurrency',
      value: '128',
      origin: origin('default', null),
    })
    expect(settingIn(stdout, 'seed')).toEqual({ name: 'seed', value: null, origin: origin('default', null) })
    expect(settingIn(stdout, 'token')).toEqual({
      name: 'token',
      value: '(not shown)',
      origin: origin('file', `${file}:6, STAGING`),
    })
    expect(settingIn(stdout, 'header')).toMatchObject({ value: 'X-Key: …' })
    expect(settingIn(stdout, 'url')).toEqual({
      name: 'url',
      value: 'http://127.0.0.1:4999/',
      origin: origin('file', `${file}:4`),
    })
  })

  test('config prints it as a table', async () => {
    const [verify, mock] = await Promise.all([
      plantstore(['config', 'verify', 'http://a.test', '--seed', '3'], { cwd, env }),
      plantstore(['config', 'mock'], { cwd }),
    ])
    await expect(verify.stdout).toMatchFileSnapshot('golden/config-verify.txt')
    await expect(mock.stdout).toMatchFileSnapshot('golden/config-mock.txt')
  })
})

test('a run uses a configuration in TypeScript, with paths relative to its folder', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const cwd = folderOf({
    'package.json': '{}',
    'plantstore.config.ts': `import { defineConfig } from '${pathToFileURL(join(root, 'index.ts')).href}'
const cases: number = 150
export default defineConfig({ verify: { cases, only: 'createPlant/auth', seed: 9, report: ['json'], out: 'configured', pins: 'pins.yaml' } })
`,
    'pins.yaml': 'version: 1\npins: []\n',
  })
  const within = join(cwd, 'within')
  mkdirSync(within)
  const [run, other, without] = await Promise.all([
    plantstore(['verify', '--allow-partial'], { cwd }),
    plantstore(['verify', '--allow-partial', '--config', '../plantstore.config.ts', '--out', 'other'], {
      cwd: within,
    }),
    plantstore(['config', '--no-config', '--format', 'json'], { cwd }),
  ])
  expect(run).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/plantstore:|Warning/) })
  const report = JSON.parse(readFileSync(join(cwd, 'configured/report.json'), 'utf8'))
  expect(report.run).toMatchObject({
    seed: 9,
    budget: { cases: 150 },
    selection: { only: ['createPlant/auth'] },
  })
  expect(other.code).toBe(0)
  expect(existsSync(join(within, 'other/report.json'))).toBe(true)
  expect(settingIn(without.stdout, 'seed')).toMatchObject({ value: null })
})

test('a configuration can contain waivers', async () => {
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
  if (config === null) throw new Error('no configuration was read')
  checkConfig(config, commands)
}

describe('an invalid configuration is rejected in one line, with its place', () => {
  test.each([
    ['verify:\n  csaes: 5\n', `${file}:2: verify has no setting csaes (did you mean cases?)`],
    ['verify:\n  wait-for: 5s\n', `${file}:2: verify has no setting wait-for (did you mean waitFor?)`],
    ['cases: 5\n', `${file}:1: cases belongs in a section: verify, compare or selftest`],
    ['timeout: 1s\nveryfi: {}\n', `${file}:2: there is no setting or command veryfi (did you mean verify?)`],
    ['verify: 5\n', `${file}:1: verify: it must be a map of settings`],
    ['verify:\n  quiet: true\n', `${file}:2: verify.quiet can only be given by its flag`],
    [
      'verify:\n  seed: 1\n  cases: many\n',
      `${file}:3: verify.cases: It must be a whole number from 1 to 10,000,000.`,
    ],
    ['verify:\n  strict: sure\n', `${file}:2: verify.strict: It must be true or false.`],
    ['verify:\n  seed: [1, 2]\n', `${file}:2: verify.seed: It must be one text or number.`],
    ['verify:\n  report: [html, pdf]\n', `${file}:2: verify.report: It must be one or more of json, junit,`],
    ['unauthenticated: 403\n', `${file}:1: unauthenticated: Allowed choices are declared, 401, either.`],
    [
      'verify:\n  token: se-cret\n',
      `${file}:2: verify.token: Do not store a token in a file: name the environment variable`,
    ],
    ['version: 2\n', `${file}:1: version: only version 1 is supported`],
    ['verify:\n  seed: 1\n  seed: 2\n', `the configuration in `],
    ['- verify\n', `${file} is not a configuration: it must be a map of settings`],
  ])('%j', (text, message) => expect(check(file, text)).rejects.toThrow(message))

  test('in JSON and in modules', async () => {
    await expect(check('a.json', '{\n  "verify": {\n    "sed": 1\n  }\n}')).rejects.toThrow(
      'a.json:3: verify has no setting sed',
    )
    await expect(check('a.mjs', 'export const config = {}')).rejects.toThrow(
      'is not a configuration: it must export default',
    )
    await expect(check('a.mjs', "import 'plantstore-contract/none'")).rejects.toThrow(
      'a.mjs cannot be loaded: ',
    )
    await expect(check('a.toml', '')).rejects.toThrow('must end in .ts, .mts, .js, .mjs, .json, .yaml, .yml')
    await expect(readConfig('none.yaml')).rejects.toThrow('the configuration none.yaml does not exist')
  })

  test('two configurations, and a variable that is not set', async () => {
    const two = await plantstore(['config'], {
      cwd: folderOf({ [file]: '', 'plantstore.config.json': '{}' }),
    })
    expect(two).toMatchObject({
      code: 2,
      stderr: `plantstore: there are plantstore.config.json and ${file}: keep one of them, or choose one with --config\n`,
    })
    const unset = await plantstore(['verify'], { cwd: folderOf({ [file]: sample }) })
    expect(unset).toMatchObject({
      code: 2,
      stderr: `plantstore: ${file}:6: verify.token: STAGING is not set in the environment.\n`,
    })
  })
})

describe('the JSON Schema', () => {
  const validate = compileSchema(configSchema() as Record<string, unknown>)

  test('in cli/config/config.schema.json is up to date (npm run docs writes it)', () => {
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
      maxTime: 30,
      malformedHttp: true,
      waitFor: '2m',
      only: ['createPlant'],
      skip: 'createPlant/auth',
      unauthenticated: '401',
      waivers: [{ obligation: 'createPlant', reason: 'r', owner: 'o', expires: '2999-12-31' }],
      baseline: 'plantstore.baseline.yaml',
      report: 'all',
      proxy: 'http://proxy.test:3128',
    },
    mock: { port: 0, cors: false, token, scenarioSet: 'down', log: 'text' },
    obligations: { format: 'markdown' },
    selftest: { workers: 2 },
  })

  test('accepts what the command accepts, in every form', async () => {
    expect(validate({ ...whole, unauthenticated: 401 } as unknown as Json)).toEqual([])
    await check(file, stringify({ ...whole, unauthenticated: 401 }))
    await check('a.json', JSON.stringify(whole))
    await check('a.mts', `export default ${JSON.stringify(whole)}`)
  })

  test.each([
    { verify: { cases: 0 } },
    { verify: { casez: 1 } },
    { cases: 1 },
    { verify: { report: ['pdf'] } },
    { verify: { maxTime: 'soon' } },
    { verify: { strict: 'yes' } },
    { mock: { port: 65_536 } },
    { token: 'se-cret' },
    { unauthenticated: '403' },
    { verify: { waivers: 5 } },
    { version: 2 },
  ])('rejects what the command rejects: %j', async value => {
    expect(validate(value as Json)).not.toEqual([])
    await expect(check(file, stringify(value))).rejects.toThrow(`${file}:`)
  })

  test('the type rejects invalid settings', () => {
    // @ts-expect-error there is no such setting
    defineConfig({ verify: { casez: 1 } })
    // @ts-expect-error a token must not be stored in a file
    defineConfig({ verify: { token: 'se-cret' } })
    // @ts-expect-error not a duration
    defineConfig({ verify: { maxTime: '30 seconds' } })
    // @ts-expect-error not a format
    defineConfig({ verify: { report: ['pdf'] } })
  })
})

test('every configuration in docs/gate.md is valid', async () => {
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
