import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { filesIn } from '../../folder.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { slowStore, storeWith } from '../servers.ts'

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8')
const after = ['--after', 'echo "after $PLANTSTORE_EXIT_CODE" >> log'] as const
const short = ['--cases', '60', '--allow-partial', '--report', 'json'] as const

/** A lawful store that leaves a file when the first request comes. */
const markingStore = (cwd: string): ReturnType<typeof storeWith> =>
  storeWith({
    early: () => {
      writeFileSync(join(cwd, 'first-request'), '')
      return false
    },
  })

test('--before runs before the first request, and --after when the ledger is written; both know the run', async () => {
  const cwd = emptyFolder()
  await during(markingStore(cwd), async ({ url, token }) => {
    const { code, stdout, stderr } = await plantstore(
      [
        ...['verify', url, '--token', token, ...short],
        ...['--before', 'test ! -e first-request && echo "before $PLANTSTORE_URL" >> log'],
        ...[
          '--after',
          'echo "after $PLANTSTORE_URL $PLANTSTORE_EXIT_CODE $(tail -1 "$PLANTSTORE_LEDGER" | cut -c1-13)" >> log',
        ],
      ],
      { cwd },
    )
    expect(code).toBe(0)
    expect(read(cwd, 'log')).toBe(`before ${url}/\nafter ${url}/ 0 {"type":"end"\n`)
    expect(stderr).toMatch(/^running --before: test .*[\s\S]*^running --after: echo /m)
    expect(stdout).not.toContain('running')
  })
})

test('if --before fails, nothing is sent and the exit code is 4; --after cleans up', async () => {
  const cwd = emptyFolder()
  await during(markingStore(cwd), async ({ url, token }) => {
    const args = ['verify', url, '--token', token, '--before', 'exit 3', ...after, '--quiet']
    const { code, stdout, stderr } = await plantstore(args, { cwd })
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: '',
      stderr: 'plantstore: --before exit 3 ended with exit code 3, so nothing was sent\n',
    })
    expect(read(cwd, 'log')).toBe('after 4\n')
    expect(existsSync(join(cwd, 'first-request'))).toBe(false)
    expect(filesIn(join(cwd, 'plantstore-report'))).toEqual([])
  })
})

test('if --after fails, a warning says so, and the exit code stays that of the run', async () => {
  const failing = ['--after', 'exit 7', '--quiet', ...short]
  const warning = 'warning: --after exit 7 ended with exit code 7\n'
  await during(storeWith({}), async ({ url, token }) => {
    const { code, stderr } = await plantstore(['verify', url, '--token', token, ...failing])
    expect([code, stderr]).toEqual([0, warning])
  })
  await during(storeWith({ id: () => true }), async ({ url, token }) => {
    const { code, stderr } = await plantstore(['verify', url, '--token', token, ...failing])
    expect([code, stderr]).toEqual([1, warning])
  })
})

test('--after runs after a run that fails, that cannot begin, or that nobody answers', async () => {
  const codeAfter = async (args: readonly string[]): Promise<string> => {
    const cwd = emptyFolder()
    const { code } = await plantstore(['verify', ...args, ...after, '--report', 'json'], { cwd })
    expect(read(cwd, 'log')).toBe(`after ${code}\n`)
    return read(cwd, 'log')
  }
  await during(storeWith({ id: () => true }), async ({ url, token }) => {
    expect(await codeAfter([url, '--token', token, '--cases', '300'])).toBe('after 1\n')
  })
  expect(await codeAfter(['embedded-mock', '--only', 'nothing-like-it'])).toBe('after 2\n')
  expect(await codeAfter(['http://127.0.0.1:9'])).toBe('after 4\n')
})

test('a hook that takes too long is ended, with all that it has started', async () => {
  const before = ['--before', 'sleep 600 & wait', '--hook-timeout', '200ms']
  // Whatever was still running would hold standard error open, which `ended` waits for.
  const { code, stderr } = await start(['verify', 'embedded-mock', ...before, '--quiet']).ended
  expect([code, stderr]).toEqual([
    4,
    'plantstore: --before sleep 600 & wait did not end within 0.2 s, so nothing was sent\n',
  ])
})

test('--after runs after Ctrl-C, with the exit code of the signal', () =>
  during(slowStore(15), async ({ url, token }) => {
    const cwd = emptyFolder()
    const args = ['verify', url, '--token', token, '--cases', '600', '--concurrency', '4', ...after]
    const run = start(args, { cwd })
    await run.shows(/ 25 %/)
    run.kill('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(read(cwd, 'log')).toBe('after 130\n')
  }))

test('Ctrl-C ends --before, and nothing is sent', async () => {
  const cwd = emptyFolder()
  await during(markingStore(cwd), async ({ url, token }) => {
    const before = ['--before', 'echo waiting; sleep 600']
    const run = start(['verify', url, '--token', token, ...before, ...after], { cwd })
    await run.shows(/^waiting/m)
    run.kill('SIGINT')
    expect((await run.ended).code).toBe(130)
    expect(read(cwd, 'log')).toBe('after 130\n')
    expect(existsSync(join(cwd, 'first-request'))).toBe(false)
  })
})

test('a configuration may name the hooks; config shows them without running them, and a bundle does not show them', async () => {
  const cwd = emptyFolder()
  writeFileSync(
    join(cwd, 'plantstore.config.yaml'),
    'verify:\n  before: echo "$SEED_URL" > seeded # postgres://user:hunter2@db\n  after: echo hunter2\n',
  )
  const shown = await plantstore(['config'], { cwd })
  expect(shown.stdout).toMatch(/before {2,}echo "\$SEED_URL" > seeded {2,}plantstore.config.yaml:2/)
  expect(existsSync(join(cwd, 'seeded'))).toBe(false)
  const args = ['verify', 'embedded-mock', ...short, '--before', 'echo "$PLANTSTORE_URL" > seeded; : hunter2']
  expect((await plantstore([...args, '--bundle', 'run.zip'], { cwd })).code).toBe(0)
  expect(read(cwd, 'seeded')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/)
  const bundle = Object.values(unzipSync(readFileSync(join(cwd, 'run.zip')))).map(bytes =>
    Buffer.from(bytes).toString(),
  )
  expect(bundle.some(text => text.includes('"--before"'))).toBe(true)
  for (const text of bundle) expect(text).not.toContain('hunter2')
  for (const [, text] of filesIn(join(cwd, 'plantstore-report'))) expect(text).not.toContain('hunter2')
})

test('a shard has no ledger to name', async () => {
  const cwd = emptyFolder()
  const args = ['verify', 'embedded-mock', '--seed', '1', '--shard', '5/5', '--cases', '20']
  const { code } = await plantstore([...args, '--after', 'test -z "$PLANTSTORE_LEDGER" && echo none > log'], {
    cwd,
  })
  expect([code, read(cwd, 'log')]).toEqual([0, 'none\n'])
})
