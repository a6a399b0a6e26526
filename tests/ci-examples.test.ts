/** The CI examples are valid for their systems, and their commands exist. */
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { anyFormats } from '../cli/options/formats.ts'
import { plantstore } from './cli/command.ts'
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
    const given = steps.flatMap(({ env = {} }) => Object.values(env)).sort()
    expect(given).toEqual(
      Object.keys(action.inputs)
        .map(name => `\${{ inputs.${name} }}`)
        .sort(),
    )
  })

  test('its script runs and merges shards, or runs everything, writes the summary, and exits with the code of the run', async () => {
    const cwd = emptyFolder()
    const summary = join(cwd, 'summary.md')
    writeFileSync(summary, '')
    const { run = '', env = {} } = action.runs.steps.at(-1) ?? {}
    const act = async (inputs: Readonly<Record<string, string>>): Promise<number> => {
      const given = Object.entries(env).map(([name, expression]) => {
        const input = /inputs\.([a-z-]+)/.exec(expression)?.[1] ?? ''
        return [name, inputs[input] ?? action.inputs[input]?.default?.replace(/^\$.*/, '7') ?? ''] as const
      })
      const { PATH = '', HOME = '' } = process.env
      try {
        await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', run], {
          cwd,
          env: {
            PATH,
            HOME,
            GITHUB_ACTION_PATH: root,
            GITHUB_STEP_SUMMARY: summary,
            ...Object.fromEntries(given),
          },
        })
        return 0
      } catch (error) {
        return (error as { code: number }).code
      }
    }
    expect(await act({ target: 'embedded-mock', cases: '60', shard: '1/2', out: 'shards' })).toBe(0)
    const merge = { command: 'merge', target: 'shards', report: 'json' }
    expect(await act(merge)).toBe(4)
    expect(await act({ ...merge, 'allow-partial': 'true' })).toBe(0)
    expect(await act({ target: 'embedded-mock', cases: '300', report: 'json,junit' })).toBe(0)
    expect(existsSync(join(cwd, 'plantstore-report/junit.xml'))).toBe(true)
    expect(await act({ cases: '5' })).toBe(2)
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^(### plantstore\n```text\n[\s\S]*PARTIAL: [\s\S]*```\n){2}### plantstore\n```text\n[\s\S]*\nCONFORMANT [\s\S]*```\n$/,
    )
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
