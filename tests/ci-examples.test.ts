/** The CI examples are valid for their systems, and their commands exist. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { anyFormats } from '../cli/options/output-flags.ts'
import { createProgram } from '../cli/program.ts'
import { actionText, commands, exceptions } from '../scripts/action-inputs.ts'
import { plantStoreDocument } from '../spec/index.ts'
import { plantstore } from './cli/command.ts'
import { postThroughProxy, storeWith } from './cli/servers.ts'
import { emptyFolder } from './folder.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const documentsIn = (file: string): readonly Record<string, never>[] =>
  parseAllDocuments(read(file)).map(document => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    return document.toJS() as Record<string, never>
  })

type Step = {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
}
type Job = { readonly needs?: string; readonly if?: string; readonly steps: readonly Step[] }
type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

const files = globSync('examples/ci/*', { cwd: root }).map(file => file.replaceAll('\\', '/'))
const action = documentsIn('action.yml')[0] as unknown as Action
const workflows = ['examples/ci/github-actions.yml', 'examples/ci/github-actions-playwright.yml']

test('every command and every flag in them exists', async () => {
  const commands = [...files, 'docs/scale-out.md'].flatMap(file =>
    [...read(file).matchAll(/\bplantstore (verify|merge|mock|report)\b([^\n;&|]*)/g)].map(
      ([, command = '', rest = '']) => ({
        command,
        flags: rest.match(/(?<= )--[a-z-]+/g) ?? [],
        formats: /--report ([a-z,]+)/.exec(rest)?.[1]?.split(',') ?? [],
      }),
    ),
  )
  expect(commands.length).toBeGreaterThan(6)
  const names = [...new Set(commands.map(({ command }) => command))]
  const helps = new Map(
    await Promise.all(names.map(async name => [name, (await plantstore([name, '--help'])).stdout] as const)),
  )
  for (const { formats } of commands) expect([...anyFormats, 'all']).toEqual(expect.arrayContaining(formats))
  for (const { command, flags } of commands)
    for (const flag of flags)
      expect(helps.get(command), `${command} ${flag}`).toMatch(new RegExp(`${flag}\\b`))
})

/** A nonce has no effect beside a seed, so the number of the run is one only without a nonce. */
const seedExpression = `\${{ inputs.seed || inputs.nonce == '' && github.run_number || '' }}`

describe('GitHub Actions', () => {
  test('workflows use only inputs of the action, and merge also if a shard failed', () => {
    for (const file of workflows) {
      const { jobs } = documentsIn(file)[0] as unknown as { jobs: Readonly<Record<string, Job>> }
      expect(Object.values(jobs).flatMap(({ needs }) => needs ?? [])).toEqual(['shard'])
      expect(jobs.merge?.if).toMatch(/^\$\{\{ !cancelled\(\) \}\}$/)
      for (const { uses, with: given = {} } of Object.values(jobs).flatMap(({ steps }) => steps)) {
        if (uses !== './') continue
        expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)))
      }
    }
  })

  test('the action passes each input to its script only through the environment', () => {
    const steps = action.runs.steps.filter(({ run }) => run !== undefined)
    expect(steps.every(({ run = '', shell }) => shell === 'bash' && !run.includes('${{'))).toBe(true)
    const given = steps.flatMap(({ env = {} }) => Object.values(env)).filter(value => value.includes('${{'))
    expect(given.sort()).toEqual(
      Object.keys(action.inputs)
        .map(name => (name === 'seed' ? seedExpression : `\${{ inputs.${name} }}`))
        .sort(),
    )
  })

  test('every flag of its commands is an input, but for the exceptions, and action.yml is up to date (npm run docs writes it)', () => {
    expect(actionText(read('action.yml'))).toBe(read('action.yml'))
    const flags = createProgram()
      .commands.filter(command => (commands as readonly string[]).includes(command.name()))
      .flatMap(({ options }) => options.flatMap(({ long }) => long ?? []))
    expect(flags).toEqual(expect.arrayContaining(Object.keys(exceptions)))
    for (const flag of flags.filter(flag => !Object.hasOwn(exceptions, flag)))
      expect(Object.keys(action.inputs)).toContain(flag.slice('--'.length))
  })

  /** Runs the script of the action with these inputs, as GitHub does, in a new folder or `cwd`. `path`: of the action. */
  const act = async (inputs: Readonly<Record<string, string>>, cwd = emptyFolder(), path = root) => {
    const { run = '', env = {} } = action.runs.steps.at(-1) ?? {}
    const given = Object.entries(env).map(([name, expression]) => {
      const input = /inputs\.([a-z-]+)/.exec(expression)?.[1]
      if (input === undefined) return [name, expression] as const
      if (expression === seedExpression) return [name, inputs.seed ?? (inputs.nonce === undefined ? '7' : '')]
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''] as const
    })
    const [summary, output] = [join(cwd, 'summary.md'), join(cwd, 'output.txt')]
    for (const file of [summary, output]) writeFileSync(file, '')
    const { PATH = '', HOME = '' } = process.env
    const ran = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', run], {
      cwd,
      env: {
        PATH,
        HOME,
        GITHUB_ACTION_PATH: path,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        ...Object.fromEntries(given),
      },
    }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
    )
    return { ...ran, cwd, summary: readFileSync(summary, 'utf8'), output: readFileSync(output, 'utf8') }
  }

  /** The arguments that the script calls the command with. */
  const argumentsOf = async (inputs: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const path = emptyFolder()
    mkdirSync(join(path, 'cli'))
    const program =
      "import { writeFileSync } from 'node:fs'\nwriteFileSync('args.json', JSON.stringify(process.argv.slice(2)))\n"
    writeFileSync(join(path, 'cli/main.js'), program)
    const { code, cwd } = await act(inputs, emptyFolder(), path)
    expect(code).toBe(0)
    return JSON.parse(readFileSync(join(cwd, 'args.json'), 'utf8'))
  }

  /** Runs it as `act`, but with the built command, which starts in half the time. */
  const actBuilt = (inputs: Readonly<Record<string, string>>, cwd?: string) => {
    const path = emptyFolder()
    mkdirSync(join(path, 'cli'))
    writeFileSync(join(path, 'cli/main.js'), `import ${JSON.stringify(inject('command'))}\n`)
    return act(inputs, cwd, path)
  }

  test('an input becomes a flag: a value, one for each line, or a switch; hostile text stays text', async () => {
    const hostile = '$(touch owned) "; touch owned; #'
    const args = await argumentsOf({
      target: 'http://127.0.0.1:8080',
      spec: hostile,
      header: `X-Key: 1\r\nX-Other: ${hostile}\n\n`,
      only: '*',
      strict: 'true',
      bail: 'false',
      out: '--insecure',
    })
    expect(args.toSorted()).toEqual(
      [
        ...['verify', '--', 'http://127.0.0.1:8080', '--seed=7', '--wait-for=30s', '--report=all'],
        ...[`--spec=${hostile}`, '--header=X-Key: 1', `--header=X-Other: ${hostile}`, '--only=*', '--strict'],
        ...['--out=--insecure', '--summary=json'],
      ].sort(),
    )
    expect(args[0]).toBe('verify')
    expect(args.slice(-2)).toEqual(['--', 'http://127.0.0.1:8080'])
  })

  test('merge gets the flags that it has, and a shard prints no summary', async () => {
    expect(await argumentsOf({ command: 'merge', target: 'shards', 'allow-partial': 'true' })).toEqual([
      ...['merge', '--allow-partial', '--report=all', '--summary=json', '--', 'shards'],
    ])
    const shard = await argumentsOf({ target: 'embedded-mock', shard: '1/2' })
    expect(shard).toContain('--shard=1/2')
    expect(shard).not.toContain('--summary=json')
    expect((await argumentsOf({ target: 'embedded-mock', nonce: 'n' })).join(' ')).not.toContain('--seed')
  })

  test('compare and evolve get two targets and the flags that they have', async () => {
    const both = {
      target: 'a',
      other: '-b',
      config: 'c.ts',
      'fail-on': 'any',
      'old-servers': 'ignore',
      only: 'x',
    }
    expect((await argumentsOf({ ...both, command: 'compare' })).toSorted()).toEqual(
      [
        ...['compare', '--config=c.ts', '--seed=7', '--only=x', '--fail-on=any'],
        ...['--report=html', '--', 'a', '-b'],
      ].sort(),
    )
    // It is called once for the annotations, and once for the summary.
    expect(await argumentsOf({ ...both, command: 'evolve' })).toEqual([
      ...['evolve', '--config=c.ts', '--old-servers=ignore', '--format=markdown', '--', 'a', '-b'],
    ])
  })

  test.each([
    [
      { target: '' },
      'the input target is empty: name the server, embedded-mock, the folder of the shards, or the old document',
    ],
    [{ target: 'embedded-mock', strict: 'yes' }, 'the input strict must be true or false'],
    [
      { target: 'embedded-mock', command: 'mock' },
      'the input command must be verify, merge, compare, evolve or proxy',
    ],
    [
      { target: 'old.yaml', command: 'evolve' },
      'the input other is empty: name the other server, or the new document',
    ],
    [
      { target: 'http://127.0.0.1:1', command: 'proxy' },
      'the input run is empty: give the command of the tests that run through the proxy',
    ],
  ] as const)('a mistake in %j is told before anything runs', async (inputs, message) => {
    const { code, stdout, output } = await act(inputs)
    expect({ code, stdout, output }).toEqual({
      code: 2,
      stdout: `::error title=plantstore::${message}\n`,
      output: '',
    })
  })

  test('it runs and merges shards, or runs everything, with the code of the run, its outputs and its summary', async () => {
    const { cwd, ...shard } = await actBuilt({
      target: 'embedded-mock',
      cases: '60',
      shard: '1/2',
      out: 'shards',
    })
    expect(shard).toMatchObject({ code: 0, output: '', summary: '' })
    const merge = { command: 'merge', target: 'shards', report: 'json' }
    const partial = await actBuilt(merge, cwd)
    expect(partial).toMatchObject({ code: 4, summary: expect.stringContaining('PARTIAL: ') })
    expect(partial.output).toMatch(/^summary=\{.*\}\nconclusion=partial\nscore=\d+\n$/)
    expect((await actBuilt({ ...merge, 'allow-partial': 'true' }, cwd)).code).toBe(0)
    const whole = await act({ target: 'embedded-mock', report: 'json,github' })
    expect(whole).toMatchObject({
      code: 0,
      output: expect.stringMatching(/\nconclusion=conformant\nscore=100\n$/),
    })
    expect(whole.summary.match(/CONFORMANT/g)).toHaveLength(1)
    expect(existsSync(join(whole.cwd, 'plantstore-report/report.json'))).toBe(true)
  }, 60_000)

  test('it compares two servers, and two documents, with the code and the text of the command', async () => {
    const mock = 'embedded-mock'
    const compared = await actBuilt({ command: 'compare', target: mock, other: mock, cases: '60' })
    expect(compared).toMatchObject({
      code: 0,
      output: '',
      stdout: expect.stringMatching(/^A {2}embedded-mock/),
    })
    expect(compared.summary).toBe(`\`\`\`text\n${compared.stdout}\`\`\`\n`)
    expect(existsSync(join(compared.cwd, 'plantstore-report/compare.html'))).toBe(true)
    const cwd = emptyFolder()
    const document = readFileSync(plantStoreDocument, 'utf8')
    writeFileSync(join(cwd, 'old.yaml'), document)
    writeFileSync(join(cwd, 'new.yaml'), document.replace('required: [id]', 'required: [id, tag]'))
    const evolved = await actBuilt({ command: 'evolve', target: 'old.yaml', other: 'new.yaml' }, cwd)
    expect(evolved).toMatchObject({ code: 1, stdout: expect.stringMatching(/^::error /) })
    expect(evolved.summary).toContain('breaking')
  }, 60_000)

  test('other tests run through the proxy, which fails the job if the server is at fault', async () => {
    const server = await storeWith({ plant: ({ name }) => ({ name, tag: 7 }) })
    try {
      const inputs = { command: 'proxy', target: server.url, port: '0', 'fail-on': 'response' }
      const failed = await actBuilt({
        ...inputs,
        run: postThroughProxy(server.token),
        report: 'json,markdown',
      })
      expect(failed).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('the server at fault in 1\n'),
        summary: expect.stringContaining('createPlant/response/200/body/tag/type'),
        output: '',
      })
      expect(await actBuilt({ ...inputs, run: 'true' })).toMatchObject({ code: 4 })
    } finally {
      await server.close()
    }
  }, 60_000)
})

test('GitLab runs four shards, and merges whatever they left', () => {
  const { stages, verify, merge } = documentsIn('examples/ci/gitlab-ci.yml')[0] as unknown as {
    stages: readonly string[]
    verify: { stage: string; parallel: number; artifacts: { when: string; paths: readonly string[] } }
    merge: { stage: string; when: string; script: readonly string[] }
  }
  expect(stages).toEqual([verify.stage, merge.stage])
  expect([verify.parallel, verify.artifacts.when, merge.when]).toEqual([4, 'always', 'always'])
  expect(merge.script[0]).toContain(`merge ${verify.artifacts.paths[0]} `)
})

test('Kubernetes runs one pod for each shard, each with its own index, none as root', () => {
  type Pod = {
    readonly securityContext: { readonly runAsNonRoot: boolean }
    readonly containers: readonly { readonly args: readonly string[] }[]
  }
  const jobs = documentsIn('examples/ci/kubernetes.yml').filter(({ kind }) => kind === 'Job') as unknown as {
    spec: { completionMode?: string; completions?: number; template: { spec: Pod } }
  }[]
  expect(jobs.map(({ spec }) => [spec.completionMode, spec.completions])).toEqual([
    ['Indexed', 4],
    [undefined, undefined],
  ])
  expect(jobs.map(({ spec }) => spec.template.spec.securityContext.runAsNonRoot)).toEqual([true, true])
  expect(jobs[0]?.spec.template.spec.containers[0]?.args[0]).toContain(
    '--shard "$((JOB_COMPLETION_INDEX + 1))/4"',
  )
  expect(jobs[1]?.spec.template.spec.containers[0]?.args.slice(0, 2)).toEqual(['merge', '/shards'])
})

test('the image is built in one stage, contains only runtime dependencies, and does not run as root', () => {
  const lines = read('examples/ci/Dockerfile').split('\n')
  expect(lines.filter(line => line.startsWith('FROM'))).toEqual([
    'FROM node:24-slim AS build',
    'FROM node:24-slim',
  ])
  const last = lines.slice(lines.lastIndexOf('FROM node:24-slim'))
  expect(last).toContain('USER node')
  expect(last.indexOf('USER node')).toBeLessThan(last.indexOf('ENTRYPOINT ["plantstore"]'))
  expect(last.some(line => line.includes('--omit=dev'))).toBe(true)
})
