/** The outputs that README and docs show, made by the code itself, with fixed times, ports and keys. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRedact, logLine } from '../cli/outputs/request-log.ts'
import { verify } from '../conformance/index.ts'
import { createHandler, createMock, createWatch } from '../mock/index.ts'
import { summaryLine, terminal } from '../reports/index.ts'
import { createPaint, type Ledger, loadContract, plantStoreDocument } from '../spec/index.ts'
import { fiveFaults } from '../tests/broken-servers/five-faults.ts'
import { startServer } from '../tests/broken-servers/index.ts'
import { storeToken } from '../tests/broken-servers/store/sent.ts'
import { other, owner, startGardens } from '../tests/ownership/garden-server.ts'

const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** Runs `use` in a temporary folder. */
const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'plantstore-docs-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const plantstore = (
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [main, ...args], { cwd, env: { PATH, ...env } })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.once('error', reject)
    child.once('close', () => resolve(output.trimEnd()))
  })

/** A run against a store with five faults, as its owner would start it. */
const failingRun = async (): Promise<Ledger> => {
  const server = await startServer(fiveFaults)
  const target = 'http://127.0.0.1:4020/'
  const record = (ledger: Ledger): Ledger => {
    const text = JSON.stringify(ledger).replaceAll(`${new URL(server.url).href}`, target)
    const named = JSON.parse(
      text.replaceAll('spec/openapi/plant-store.openapi.yaml', 'openapi.yaml'),
    ) as Ledger
    return named.end === null ? named : { ...named, end: { ...named.end, ms: 1400 } }
  }
  try {
    return record(await verify({ target: server.url, token: storeToken, seed: 1 }))
  } finally {
    await server.close()
  }
}

let sharedRun: Promise<Ledger> | null = null
const recordedRun = (): Promise<Ledger> => {
  sharedRun ??= failingRun()
  return sharedRun
}
const run = async (): Promise<string> =>
  terminal(await recordedRun(), {
    colour: false,
    verbosity: 'verbose',
    ledger: 'plantstore-report/ledger.ndjson',
    report: 'plantstore-report/report.html',
  })

const summary = async (): Promise<string> =>
  summaryLine(await recordedRun(), {
    exitCode: 1,
    ledger: 'plantstore-report/ledger.ndjson',
    reports: { json: 'plantstore-report/report.json' },
  })
    .trimEnd()
    // How many it takes to minimise depends on the order in which responses come.
    .replace(/"requests":\d+/, '"requests":2630')

const linesOf = (text: string): readonly string[] => text.split('\n')

/** The finding with this title, as the terminal shows it. */
const finding = (text: string, title: string): readonly string[] => {
  const lines = linesOf(text)
  const start = lines.findIndex(line => line.includes(`✗ ${title}`))
  return lines.slice(start, lines.indexOf('', start))
}

const lineWith = (text: string, part: string): string => linesOf(text).find(line => line.includes(part)) ?? ''

const lastLine = async (): Promise<string> => lineWith(await run(), 'NOT CONFORMANT')

const shortRun = async (): Promise<string> => {
  const lines = finding(await run(), 'accepted a number in quotation marks')
  return [...lines, '', await lastLine()].join('\n')
}

// The order in which findings are minimised decides their ids.
const oneFinding = async (): Promise<string> =>
  finding(await run(), 'accepted a request without credentials')
    .join('\n')
    .replace(/"id":\d{10}/g, '"id":1805622070')

const sensitivity = async (): Promise<string> =>
  [...(await run()).matchAll(/^ *((?:auth|pairs) .*can remain unseen.*)$/gm)]
    .map(([, line]) => line)
    .join('\n')

const rejection = async (): Promise<string> => {
  const handler = await createHandler({ tokens: ['secret'] })
  const response = await handler(
    post('{"id":9223372036854775808,"name":"Fern"}', { authorization: 'Bearer secret' }),
  )
  await handler.close()
  return `${response.status} ${await response.text()}`
}

const post = (body: string, headers: Readonly<Record<string, string>> = {}, path = '/plants'): Request =>
  new Request(`http://mock.test${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

const config = (): Promise<string> =>
  inFolder(async folder => {
    const file = 'spec: openapi.yaml\nverify:\n  url: https://staging.example.test\n'
    writeFileSync(join(folder, 'plantstore.config.yaml'), file)
    const text = await plantstore(folder, ['config', 'verify', '--cases', '50'], { PLANTSTORE_TOKEN: 'x' })
    const shown = ['url', 'spec', 'token', 'cases', 'concurrency']
    return linesOf(text)
      .filter((line, index) => index === 0 || shown.includes(line.trim().split(' ')[0] ?? ''))
      .join('\n')
  })

const bundle = (): Promise<string> =>
  inFolder(async folder => {
    await plantstore(folder, ['bundle', 'keygen', '--out', 'vendor'])
    const mock = await createMock({ tokens: ['secret'] })
    await plantstore(folder, [
      ...['verify', mock.url, '--token', 'secret'],
      ...['--subject', 'name=Garden Shop', '--subject', 'version=1.4.2', '--subject', 'commit=abc123'],
      ...['--run-by', 'Jane Doe, ACME', '--nonce', 'order 4711'],
      '--report',
      'json',
      '--bundle',
      'run.zip',
      '--quiet',
    ]).finally(mock.close)
    await plantstore(folder, ['bundle', 'sign', 'run.zip', '--key', 'vendor.private.pem'])
    const text = await plantstore(folder, ['bundle', 'verify', 'run.zip', '--key', 'vendor.public.pem'])
    return text
      .replace(/http:[^ ]*\/(?=,)/, 'https://staging.example.test/')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '2026-11-21T09:30:00.000Z')
      .replace(/signed by [0-9a-f]{64}/, `signed by ${'e02edaed837052cc'.repeat(4)}`)
  })

/** The plant store's document against a copy with three changes. */
const evolution = (): Promise<string> =>
  inFolder(async folder => {
    const old = readFileSync(plantStoreDocument, 'utf8')
    const now = old
      .replace('type: string\n        tag:', 'type: string\n          minLength: 1\n        tag:')
      .replace('required: [error, message]', 'required: [message]')
    writeFileSync(join(folder, 'old.yaml'), old)
    writeFileSync(join(folder, 'new.yaml'), now)
    return plantstore(folder, ['evolve', 'old.yaml', 'new.yaml'])
  })

const drift = async (): Promise<string> => {
  const handler = await createHandler({ tokens: ['secret'] })
  const watch = createWatch(handler)
  try {
    const authorization = 'Bearer secret'
    await handler(post('{"id":"1","name":"Fern"}', { authorization }))
    await handler(post('{"id":1,"name":"Fern"}', { authorization }, '/plant'))
    watch.check()
    throw new Error('the client did not drift')
  } catch (error) {
    return String(error).replace(/\S+\/(?=plant-store\.openapi\.yaml)/g, '')
  } finally {
    await handler.close()
  }
}

const log = async (): Promise<string> => {
  const mock = await createMock({ tokens: ['secret'] })
  const { href } = new URL('/plants', mock.url)
  const began = new Date(2026, 10, 21, 18, 26, 24, 123).getTime()
  const send = async (target: string, init: RequestInit): Promise<void> => {
    await (await fetch(target, init)).arrayBuffer()
  }
  try {
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
    await send(href, { method: 'POST', headers, body: '{"id":1,"name":"Fern"}' })
    await send(`${href}?access_token=secret`, { method: 'POST', headers, body: '{"id":"1"}' })
    await send(`${mock.url}/plant`, { headers })
    const redact = createRedact(() => mock.documents, ['secret'])
    return mock.journal
      .entries()
      .map((entry, index) => ({ ...entry, at: began + index * 188, ms: 0.4 - index * 0.1 }))
      .map(entry => logLine(entry, createPaint(false), redact))
      .join('\n')
  } finally {
    await mock.close()
  }
}

/** A server that refuses a removal to another user, and removes all the same. */
const ownership = async (): Promise<string> => {
  const server = await startGardens({ fault: 'DELETE removes and refuses' })
  try {
    const contract = await loadContract({ from: plants })
    const tokens = { token: owner, otherToken: other }
    const selected = { only: ['*/ownership/*'], include: ['*'] }
    const ledger = await verify({ ...tokens, contract, target: server.url, seed: 1, ...selected })
    const options = {
      colour: false,
      verbosity: 'verbose',
      report: null,
      ledger: 'plantstore-report/ledger.ndjson',
    } as const
    return finding(terminal(ledger, options), 'deletePlant refused')
      .filter(line => !/^ +(?:curl|ID\d)/.test(line) || line.includes('DELETE'))
      .join('\n')
      .replaceAll(/\/plants\/\d+/g, '/plants/24')
      .replace(/ledger\.ndjson \w+/, 'ledger.ndjson 00a')
      .replaceAll(server.url, 'http://127.0.0.1:8080')
      .replaceAll('tests/state/plants.openapi.yaml', 'openapi.yaml')
  } finally {
    await server.close()
  }
}

const plants = fileURLToPath(new URL('../tests/state/plants.openapi.yaml', import.meta.url))

/** Each output by its name. */
export const outputs: Readonly<Record<string, () => Promise<string>>> = {
  run: shortRun,
  finding: oneFinding,
  summary,
  sensitivity,
  rejection,
  config,
  bundle,
  drift,
  log,
  evolution,
  ownership,
}

const marked = /(<!-- output: ([\w-]+) -->\n```text\n)[\s\S]*?(```)/g

/** A page with the outputs that it marks: a comment `output: NAME`, and below it a block of text. */
export const withOutputs = async (page: string): Promise<string> => {
  const texts = new Map<string, string>()
  for (const [, , name = ''] of page.matchAll(marked)) {
    const make = outputs[name]
    if (make === undefined) throw new Error(`there is no output ${name}`)
    texts.set(name, await make())
  }
  return page.replace(
    marked,
    (_, head: string, name: string, tail: string) => `${head}${texts.get(name)}\n${tail}`,
  )
}

/** The pages that show outputs. */
export const pagesWithOutputs = [
  'README.md',
  'docs/compare.md',
  'docs/console.md',
  'docs/evidence.md',
  'docs/gate.md',
  'docs/mounts.md',
  'docs/ownership.md',
  'docs/reports.md',
]
