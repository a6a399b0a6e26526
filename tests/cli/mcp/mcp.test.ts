/** A coding agent checks a server, mends it and checks it again, by the tools of `plantstore mcp`; a real client speaks to the real command. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { plantStoreDocument } from '../../../spec/index.ts'
import { storeToken } from '../../broken-servers/store/sent.ts'
import { during, emptyFolder } from '../command.ts'
import { brokenStore, deadUrl, storeWith } from '../servers.ts'

const spec = fileURLToPath(plantStoreDocument)
const cwd = emptyFolder()
const token = storeToken
const client = new Client({ name: 'a test', version: '1' })

beforeAll(async () => {
  const { PATH = '', HOME = '' } = process.env
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [inject('command'), 'mcp'],
      cwd,
      env: { PATH, HOME, PLANTSTORE_TOKEN: token },
    }),
  )
}, 60_000)
afterAll(() => client.close())

const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
  const { content, isError = false } = await client.callTool({ name, arguments: input }, undefined, {
    timeout: 120_000,
  })
  const [first] = content as readonly { readonly text: string }[]
  return { text: first?.text ?? '', isError }
}

test('the tools are those that the page names, each with what it needs', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['verify', 'findings', 'explain', 'replay', 'evolve', 'mock_start', 'mock_stop'],
  ])
  for (const { description = '', inputSchema } of tools) {
    expect(description.length).toBeGreaterThan(20)
    expect(inputSchema.required?.length).toBeGreaterThan(0)
  }
})

test('a fault is found, explained, sent again, and gone when it is mended', async () => {
  const { breaks, ...broken } = await brokenStore('takes-null-id')
  await during(Promise.resolve(broken), async ({ url }) => {
    const found = await call('verify', {
      url,
      spec,
      only: ['createPlant/request/body/*/type/*'],
      out: 'first',
    })
    expect(found).toMatchObject({ isError: false, text: expect.stringMatching(/^# NOT CONFORMANT/) })
    const [, id = ''] = /plantstore replay first\/ledger\.ndjson (\w+)/.exec(found.text) ?? []
    const [, obligation = ''] = /(createPlant\/request\/body\/[\w/]+)/.exec(found.text) ?? []
    expect(obligation).toMatch(breaks)
    expect((await call('findings', { ledger: 'first/ledger.ndjson' })).text).toContain(obligation)
    expect((await call('explain', { id: obligation, spec })).text).toContain(obligation)
    const ledger = 'first/ledger.ndjson'
    expect((await call('replay', { ledger, id })).text).toMatch(/exit code 1$/)
    await during(storeWith({}), async repaired => {
      expect((await call('replay', { ledger, id, target: repaired.url })).text).toMatch(/exit code 0$/)
    })
  })
}, 120_000)

test('a mock is started on the loopback, answers, is verified, and stopped', async () => {
  const { text: url } = await call('mock_start', { spec })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const response = await fetch(`${url}/plants`, { method: 'POST' })
  expect(response.status).toBe(400)
  expect((await call('mock_stop', { url })).text).toBe(`stopped ${url}`)
  await expect
    .poll(
      () =>
        fetch(url).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 30_000 },
    )
    .toBe('gone')
  expect(await call('mock_stop', { url })).toEqual({ isError: true, text: `no mock was started at ${url}` })
}, 120_000)

test('what breaks clients is told', async () => {
  const write = (name: string, extra: object) => {
    const path = join(cwd, name)
    const responses = { 200: { description: 'ok' }, ...extra }
    const paths = {
      '/a': { get: { operationId: 'a', responses } },
      ...(name === 'old.json' ? { '/b': { get: { operationId: 'b', responses } } } : {}),
    }
    writeFileSync(path, JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }))
    return path
  }
  const { text } = await call('evolve', { old: write('old.json', {}), new: write('new.json', {}) })
  expect(text).toMatch(/\bb\b/)
  expect(text).toMatch(/exit code 1$/)
})

test('what cannot be done is an error with the words of the command, and no value is taken for a flag', async () => {
  expect(await call('verify', { url: await deadUrl(), spec: 'none.yaml' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('none.yaml'),
  })
  expect(await call('explain', { id: '--help', spec })).toMatchObject({ isError: true })
  expect(await call('mock_start', { spec: '--help' })).toMatchObject({ isError: true })
  expect(await call('verify', { spec })).toEqual({ isError: true, text: 'verify needs url' })
  expect(await call('nothing', {})).toEqual({ isError: true, text: 'there is no tool nothing' })
})
