/** Every flag of proxy becomes the option of the room that it stands for, and every option has a flag. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { proxyCommand } from '../../../cli/commands/proxy.ts'
import { type ProxyFlags, proxyOptionsOf } from '../../../cli/handlers/proxy.ts'
import type { ProxyOptions } from '../../../mock/index.ts'
import { emptyFolder } from '../command.ts'
import { flagsIn, flagsOf, type Given, parse, pem, textOf } from './given.ts'

const spec = fileURLToPath(new URL('../../documents/library.openapi.yaml', import.meta.url))
const client = ['--cert', pem('client.pem'), '--key', pem('client.key')]

const hook = join(emptyFolder(), 'hook.mjs')
writeFileSync(hook, 'export default () => ({})')
const recorded = join(emptyFolder(), 'a.har')
writeFileSync(recorded, '{"log":{"entries":[]}}')

const ofProxy: {
  readonly [Name in Exclude<keyof ProxyOptions, 'target' | 'warn' | 'limits' | 'scenarios' | 'seed'>]-?: Given
} = {
  contract: [['--spec', spec], spec],
  overlay: [['--spec', spec, '--overlay', 'a.yaml'], ['a.yaml']],
  networkRefs: [['--network-refs'], true],
  refFolder: [['--ref-folder', '..'], '..'],
  strictDocument: [['--strict-document'], true],
  unauthenticated: [['--unauthenticated', 'either'], 'either'],
  basePath: [['--base-path', '/v2'], '/v2'],
  maxBodyBytes: [['--max-body', '99'], 99],
  host: [['--host', '0.0.0.0'], '0.0.0.0'],
  port: [['--port', '0'], 0],
  tls: [['--tls'], true],
  ca: [['--ca', pem('ca.pem')], textOf('ca.pem')],
  cert: [client, textOf('client.pem')],
  key: [client, textOf('client.key')],
  insecure: [['--insecure'], true],
  mode: [['--mode', 'enforce'], 'enforce'],
  mockMissing: [['--mock-missing'], true],
  listen: [
    [
      ...['--listen', '0', '--public-url', 'http://hooks.test', '--callbacks-to', 'http://127.0.0.1:3000'],
      ...['--secret', 'hook=abc'],
    ],
    {
      ...{ port: 0, publicUrl: 'http://hooks.test/', forwardTo: new URL('http://127.0.0.1:3000') },
      secrets: { hook: 'abc' },
    },
  ],
  replay: [['--replay', recorded], { file: recorded, entries: [] }],
  live: [
    ['--live', 'GET /books', '--live', 'addBook'],
    ['GET /books', 'addBook'],
  ],
  keepHost: [['--keep-host'], true],
  forwardedHeaders: [['--forwarded-headers'], true],
  violationsHeader: [['--violations-header'], true],
  requestHook: [['--request-hook', hook], expect.any(Function)],
}

test.each(Object.entries(ofProxy))('proxy: the option %s comes from %j', async (name, [args, value]) => {
  const optionsOf = async (given: readonly string[]): Promise<ProxyOptions> =>
    proxyOptionsOf(
      new URL('http://127.0.0.1'),
      await parse<ProxyFlags>(
        proxyCommand(() => {}),
        given,
      ),
    )
  expect((await optionsOf(args))[name as keyof ProxyOptions]).toEqual(value)
  expect((await optionsOf([]))[name as keyof ProxyOptions]).not.toEqual(value)
})

test('proxy: each flag is an option of the room, or used by the command line itself', () => {
  const ofFiles = ['--tls-cert', '--tls-key', '--tls-cert-out', '--report', '--out', '--har']
  const used = [...flagsIn(ofProxy), ...ofFiles, '--fail-on', '--run', '--config', '--no-config', '--log']
  expect([...new Set(used)].sort()).toEqual([...flagsOf(proxyCommand(() => {}))].sort())
})
