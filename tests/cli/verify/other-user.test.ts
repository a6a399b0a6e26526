/** The token of a second user in all its forms: from there to the reports, in which it must not be, and back from a ledger. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { filesIn } from '../../folder.ts'
import { listen } from '../../listen.ts'
import { other, owner, startGardens, type Variant } from '../../ownership/garden-server.ts'
import { during, emptyFolder, plantstore, type Ran } from '../command.ts'

const spec = fileURLToPath(new URL('../../state/plants.openapi.yaml', import.meta.url))
const only = ['--only', '*/ownership/*', '--include', '*', '--allow-partial', '--seed', '1', '--strict']
const file = 'plantstore-report/ledger.ndjson'

const ledgerIn = (cwd: string): Ledger => foldLedger(readLedger(readFileSync(join(cwd, file), 'utf8')))

const verdictsIn = (cwd: string): readonly string[] =>
  ledgerIn(cwd).entries.flatMap(({ obligation: { family }, verdict }) =>
    family === 'ownership' ? [verdict.kind] : [],
  )

const withGardens = (variant: Variant, work: (url: string) => Promise<void>): Promise<void> =>
  during(startGardens(variant), ({ url }) => work(url))

const verify = (url: string, cwd: string, args: readonly string[], env = {}): Promise<Ran> =>
  plantstore(['verify', url, '--spec', spec, ...only, ...args], { cwd, env })

const allPassed = (cwd: string): void => expect(new Set(verdictsIn(cwd))).toEqual(new Set(['passed']))

test.each([
  ['a flag', ['--other-token', other], {}],
  ['the environment', [], { PLANTSTORE_OTHER_TOKEN: other }],
  ['a command', ['--other-token-command', `printf '%s\\n' ${other}`], {}],
  ['a file', ['--other-token-file', 'other.txt'], {}],
])('the token of a second user comes from %s', (_, args, env) =>
  withGardens({}, async url => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'other.txt'), `${other}\n`)
    const { code, stderr } = await verify(url, cwd, ['--token', owner, ...args], env)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining(other)])
    allPassed(cwd)
  }),
)

test('it comes from a configuration that names its variable, and stands in none', () =>
  withGardens({}, async url => {
    const cwd = emptyFolder()
    const config = (otherToken: string): void =>
      writeFileSync(join(cwd, 'plantstore.config.json'), JSON.stringify({ verify: { otherToken } }))
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a configuration names a variable
    config('${BOB}')
    const { code } = await verify(url, cwd, ['--token', owner], { BOB: other })
    expect(code).toBe(0)
    allPassed(cwd)
    const shown = await plantstore(['config', 'verify'], { cwd, env: { BOB: other } })
    expect(shown.stdout).not.toContain(other)
    config(other)
    const refused = await verify(url, cwd, ['--token', owner])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('Do not store a token in a file')
  }))

test('both users log in by one file', async () => {
  await withGardens({}, async url => {
    const logins: string[] = []
    const login = await listen(
      createServer((request, response) => {
        request.setEncoding('utf8').on('data', (text: string) => {
          const { user } = JSON.parse(text) as { readonly user: string }
          logins.push(user)
          response.setHeader('Content-Type', 'application/json')
          response.end(JSON.stringify({ token: user === 'ann' ? owner : other }))
        })
      }),
    )
    const cwd = emptyFolder()
    const user = (name: string, more = {}) => ({
      name,
      loginEndpointAuth: { payloadRaw: JSON.stringify({ user: name }), ...more },
    })
    const auth = (second: object): void =>
      writeFileSync(
        join(cwd, 'auth.yaml'),
        JSON.stringify({
          auth: [user('ann'), second],
          authTemplate: {
            loginEndpointAuth: {
              externalEndpointURL: login.url,
              contentType: 'application/json',
              token: { extractFrom: 'body', extractSelector: '/token', headerPrefix: 'Bearer ' },
            },
          },
        }),
      )
    try {
      auth(user('bob'))
      const { code } = await verify(url, cwd, ['--auth-wfc', 'auth.yaml', '--other-user', 'bob'])
      expect(code).toBe(0)
      expect(new Set(logins)).toEqual(new Set(['ann', 'bob']))
      allPassed(cwd)
      const run = async (...args: readonly string[]) => (await verify(url, cwd, args)).stderr
      expect(await run('--auth-wfc', 'auth.yaml', '--other-user', 'eve')).toContain(
        'it has no user eve: ann, bob',
      )
      expect(await run('--token', owner, '--other-user', 'bob')).toContain('--other-user needs --auth-wfc')
      expect(await run('--token', owner, '--other-user', 'bob', '--other-token', other)).toContain(
        '--other-token and --other-user both say where the token comes from',
      )
      auth({ name: 'bob', fixedHeaders: [{ name: 'X-Key', value: other }], loginEndpointAuth: null })
      expect(await run('--auth-wfc', 'auth.yaml', '--other-user', 'bob')).toContain(
        'both users have to send their tokens alike',
      )
    } finally {
      await login.close()
    }
  })
})

test('a finding names the other token by a variable, no file has it, and it is sent again with the flag', () =>
  withGardens({ fault: 'DELETE removes and refuses', echoes: true }, async url => {
    const cwd = emptyFolder()
    const tokens = ['--token', owner, '--other-token', other]
    const args = [...tokens, '--report', 'all', '--bundle', 'run.zip', '--har', 'run.har']
    const { code, stdout, stderr } = await verify(url, cwd, args)
    expect(code).toBe(1)
    const title =
      'deletePlant refused the plant of one user to another (404), and did what was asked all the same'
    expect(stdout).toContain(`✗ ${title}`)
    expect(stdout).toContain('MUST · deletePlant/ownership/refused')
    expect(stdout).toContain('Authorization: Bearer $PLANTSTORE_OTHER_TOKEN')
    const written = [...filesIn(cwd), ['stdout', stdout], ['stderr', stderr]] as const
    expect(written.flatMap(([name, text]) => (text.includes(other.slice(2, -1)) ? [name] : []))).toEqual([])

    const [finding] = ledgerIn(cwd).findings
    expect(finding?.steps?.map(({ role }) => role)).toEqual([
      'create',
      'read',
      'own',
      'own',
      'as-other',
      'read',
      'as-other',
    ])
    const replay = (...more: readonly string[]): Promise<Ran> =>
      plantstore(['replay', file, finding?.id ?? '', '--spec', spec, '--token', owner, ...more], { cwd })
    const needs = await replay()
    expect([needs.code, needs.stderr]).toEqual([
      2,
      expect.stringContaining('give its token with --other-token'),
    ])
    const again = await replay('--other-token', other)
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining(title)])
    expect(again.stdout).not.toContain(other)
    const test = await replay('--as', 'pytest')
    expect([test.code, test.stderr]).toEqual([2, expect.stringContaining('two users')])
  }))

test('a pin of what was denied is written, and what was shared is left to whoever knows', () =>
  withGardens({ fault: 'list gives all' }, async url => {
    const cwd = emptyFolder()
    const tokens = ['--token', owner, '--other-token', other]
    expect((await verify(url, cwd, tokens)).code).toBe(1)
    const pinned = await plantstore(['pin', file], { cwd })
    expect(pinned.stderr).toBe(
      'not pinned: listPlants/ownership/list: shared: if all are meant to have it, pin that by hand\n',
    )
    const name = join(cwd, 'plantstore.pins.yaml')
    const { pins } = parse(readFileSync(name, 'utf8'))
    expect(pins).toContainEqual({ obligation: 'getPlant/ownership/read', answers: ['denied'] })
    const all = [...pins, { obligation: 'listPlants/ownership/list', answers: ['shared'] }]
    writeFileSync(name, JSON.stringify({ version: 1, pins: all }))
    const held = await verify(url, cwd, [...tokens, '--pins', 'plantstore.pins.yaml', '--bundle', 'run.zip'])
    expect([held.code, verdictsIn(cwd).length]).toEqual([0, 8])
    const checked = await plantstore(['bundle', 'verify', 'run.zip'], { cwd })
    expect([checked.code, checked.stdout]).toEqual([0, expect.not.stringContaining('leaves out')])
    allPassed(cwd)
  }))

test('a document without anything to own says so', async () => {
  await withGardens({}, async url => {
    const cwd = emptyFolder()
    const args = ['verify', url, '--token', owner, '--other-token', other, '--cases', '50', '--allow-partial']
    const { stdout, stderr } = await plantstore(args, { cwd })
    expect(stdout + stderr).toContain('the token of another user tests nothing')
  })
})

test('compare finds that one of two servers shares', () =>
  withGardens({}, async a =>
    withGardens({ fault: 'read gives all' }, async b => {
      const args = ['--spec', spec, '--seed', '1', '--only', '*/ownership/*', '--include', '*']
      const tokens = ['--token', owner, '--other-token', other]
      const { code, stdout } = await plantstore(['compare', a, b, ...args, ...tokens], { cwd: emptyFolder() })
      expect([code, stdout]).toEqual([1, expect.stringContaining('getPlant/ownership/read')])
    }),
  ))

test('obligations lists them, and explain shows one kept and broken', async () => {
  const listed = await plantstore(['obligations', '--spec', spec])
  expect(listed.stdout).not.toContain('/ownership/')
  const all = await plantstore(['obligations', '--spec', spec, '--ownership'])
  expect(all.stdout).toContain(
    'SHOULD  getPlant/ownership/read  getPlant should give a plant only to the user who created it\n',
  )
  const { stdout } = await plantstore(['explain', 'changePlant/ownership/refused', '--spec', spec])
  expect(stdout).toContain('MUST')
  expect(stdout).toContain('changePlant leaves a plant as it is when it refuses the request of another user')
  expect(stdout).toMatch(/failed +200 .*\n.*\n +expected `place` as it was stored/)
})
