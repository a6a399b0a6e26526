/** Code snippets that send a request again: each is run, and has to send the same. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { request as playwright } from 'playwright'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Entry } from '../../../mock/middleware/journal-entry.ts'
import { postPlant, send, startMock } from '../client.ts'
import { getDetails, lastEntry } from './call-console.ts'

const withToken = { Authorization: 'Bearer s3cret-token' }
const awkward = `{"id":9223372036854775807,"name":"it's \\"q\\" $HOME \`id\` \\\\ \${1} \u202e é 🌱 <b>\\n"}`

const runCurl = (text: string, env: NodeJS.ProcessEnv): Promise<unknown> =>
  promisify(execFile)('bash', ['-c', text], { env })

/** Runs the text as a module, with this environment. */
const runFetch = async (text: string, env: NodeJS.ProcessEnv): Promise<void> => {
  vi.stubEnv('PLANTSTORE_TOKEN', env.PLANTSTORE_TOKEN)
  vi.spyOn(console, 'log').mockImplementation(() => {})
  // The number makes it a new module each time.
  await import(`data:text/javascript,${encodeURIComponent(text)}//${Math.random()}`)
}

/** Runs the text as Playwright's test runner would, with its real API for requests. */
const runPlaywright = async (text: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const context = await playwright.newContext()
  const tests: Promise<void>[] = []
  const collect = (_name: string, body: (fixtures: object) => Promise<void>): unknown =>
    tests.push(body({ request: context }))
  new Function('test', 'expect', 'process', text.replace(/^import .*$/m, ''))(collect, expect, { env })
  expect(tests).toHaveLength(1)
  await Promise.all(tests)
  await context.dispose()
}

const sentBy = (entry: Entry | undefined) => {
  const header = (name: string) => entry?.headers.find(([key]) => key.toLowerCase() === name)?.[1]
  return {
    method: entry?.method,
    target: entry?.target,
    body: Buffer.from(entry?.body ?? []).toString('hex'),
    authorization: header('authorization'),
    note: header('x-note'),
    status: entry?.status,
    violations: entry?.violations,
  }
}

test.each([
  ['a valid request', postPlant('{"id":1,"name":"Fern"}', withToken)],
  [
    'characters that are special in a shell or in JavaScript',
    postPlant(awkward, { ...withToken, 'X-Note': `it's "$HOME" \`id\`` }),
  ],
  ['a token in the body as well', postPlant('{"id":1,"name":"it is s3cret-token"}', withToken)],
  ['binary data', postPlant(Uint8Array.of(0, 1, 2, 253, 254, 255), withToken)],
  ['no body', { method: 'GET', path: '/plants?a=1&b=%20%7B', headers: withToken }],
] as const)('curl, fetch and Playwright snippets send the same request again: %s', async (_name, request) => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })
  const mock = await startMock()
  await send(mock, request)
  const original = lastEntry(mock)
  const { maskedSnippets: masked, revealedSnippets: revealed } = await getDetails(mock, 1)
  if ('reason' in masked || 'reason' in revealed) throw new Error('there are no snippets')
  expect(JSON.stringify(masked)).not.toContain('s3cret')
  const env = { ...process.env, PLANTSTORE_TOKEN: 's3cret-token' }
  for (const run of [
    () => runCurl(masked.curl, env),
    () => runFetch(masked.fetch, env),
    () => runPlaywright(masked.playwright, env),
    () => runCurl(revealed.curl, process.env),
    () => runPlaywright(revealed.playwright, {}),
  ]) {
    const before = lastEntry(mock)?.number
    await run()
    const repeated = lastEntry(mock)
    expect(repeated?.number).not.toBe(before)
    expect(sentBy(repeated)).toEqual(sentBy(original))
  }
})

test('snippets leave out the cookies of other applications', async () => {
  const mock = await startMock()
  await send(mock, { method: 'GET', path: '/x', headers: { Cookie: 'theirs=1' } })
  expect(JSON.stringify((await getDetails(mock, 1)).maskedSnippets)).not.toMatch(/cookie/i)
})
