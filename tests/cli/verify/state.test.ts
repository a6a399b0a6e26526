import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type PlantServer, startPlants, token } from '../../state/plant-server.ts'
import { emptyFolder, plantstore } from '../command.ts'

const document = fileURLToPath(new URL('../../state/plants.openapi.yaml', import.meta.url))

/** The document without the operations of the collection: nobody creates or lists plants. */
const itemsOnly = (folder: string): string => {
  const [head = '', rest = ''] = readFileSync(document, 'utf8').split('  /plants:\n')
  const file = join(folder, 'items.yaml')
  writeFileSync(file, head + rest.slice(rest.indexOf('  /plants/{plantId}:')))
  return file
}

const withPlants = async (
  already: number,
  use: (server: PlantServer, folder: string) => Promise<void>,
): Promise<void> => {
  const server = await startPlants({ already })
  try {
    await use(server, emptyFolder())
  } finally {
    await server.close()
  }
}

const one = [
  '--only',
  'getPlant/request/valid',
  '--cases',
  '30',
  '--allow-partial',
  '--report',
  'json',
  '--seed',
  '1',
]

const verdictIn = (folder: string): string => {
  const text = readFileSync(join(folder, 'plantstore-report/ledger.ndjson'), 'utf8')
  const line = text
    .split('\n')
    .find(event => event.includes('"verdict"') && event.includes('"getPlant/request/valid"'))
  return (JSON.parse(line ?? '{}') as { verdict?: { kind: string } }).verdict?.kind ?? 'none'
}

test.each([
  ['a flag', ['--fixture', 'getPlant.plantId=2'], null],
  ['a command', ['--fixture-command', `echo '{"*.plantId": [2]}'`], null],
  ['a map in the configuration', [], 'verify:\n  fixture:\n    getPlant.plantId: 2\n'],
  ['a list in the configuration', [], 'verify:\n  fixture: [getPlant.plantId=2]\n'],
])('a fixture comes from %s', async (_name, args, config) => {
  await withPlants(3, async ({ url }, cwd) => {
    if (config !== null) writeFileSync(join(cwd, 'plantstore.config.yaml'), config)
    const given = ['verify', url, '--token', token, '--spec', itemsOnly(cwd), ...one, ...args]
    const { code, stderr } = await plantstore(given, { cwd })
    expect(stderr).not.toContain('error')
    expect(code).toBe(0)
    expect(verdictIn(cwd)).toBe('passed')
  })
})

test('without a fixture the operation is untested, and the report says what to add', async () => {
  await withPlants(0, async ({ url }, cwd) => {
    const { stdout } = await plantstore(
      ['verify', url, '--token', token, '--spec', itemsOnly(cwd), ...one, '-v'],
      { cwd },
    )
    expect(verdictIn(cwd)).toBe('untested')
    expect(stdout.replace(/\s+/g, ' ')).toContain("--fixture '*.plantId=VALUE'")
  })
})

test.each([
  [
    ['--fixture', 'getPlant.plantID=2'],
    '--fixture: the contract has no parameter getPlant.plantID (did you mean getPlant.plantId?)',
  ],
  [
    ['--fixture', 'plantId=2'],
    'It must be an operation, a parameter and a value, such as getOrder.orderId=7.',
  ],
  [['--fixture-command', 'echo none'], 'must print one JSON object, such as {"getOrder.orderId": 7}'],
])('a fixture that cannot be one is an error: %j', async (args, message) => {
  await withPlants(1, async ({ url }, cwd) => {
    const { code, stderr } = await plantstore(
      ['verify', url, '--token', token, '--spec', document, ...one, ...args],
      { cwd },
    )
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

test('if the command for fixtures fails, nothing is sent', async () => {
  await withPlants(1, async ({ url }, cwd) => {
    const args = ['--fixture-command', 'echo no database >&2; exit 3']
    const { code, stderr } = await plantstore(
      ['verify', url, '--token', token, '--spec', document, ...one, ...args],
      { cwd },
    )
    expect(code).toBe(4)
    expect(stderr).toContain('ended with exit code 3: no database, so nothing was sent')
  })
})

test('the embedded mock is tested without what it should keep; --stateless does so for others', {
  timeout: 60_000,
}, async () => {
  const cwd = emptyFolder()
  const few = ['--cases', '300', '--allow-partial']
  const args = ['verify', '--spec', document, '--seed', '1', '--report', 'json', ...few]
  const { code, stdout } = await plantstore(args, { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('stateless: the server keeps nothing, so that is not tested')
  const ledger = stdout.match(/all of it: plantstore report (\S+)/)?.[1] ?? ''
  const whole = await plantstore(['report', ledger], { cwd })
  expect(whole.stdout).toContain('deletePlant/state/gone')
})

test.each([
  ['a flag', ['--created', 'createPlant=/colour'], null],
  ['a map in the configuration', [], 'verify:\n  created:\n    createPlant: /colour\n'],
  ['a list in the configuration', [], 'verify:\n  created: [createPlant=/colour]\n'],
])('where the name of what is created is comes from %s', async (_name, args, config) => {
  await withPlants(0, async ({ url }, cwd) => {
    if (config !== null) writeFileSync(join(cwd, 'plantstore.config.yaml'), config)
    const { stdout } = await plantstore(
      ['verify', url, '--token', token, '--spec', document, ...one, ...args],
      {
        cwd,
      },
    )
    expect(stdout).toContain('createPlant: /colour')
  })
})

test.each([
  [
    'createPlants=/id',
    '--created createPlants: the contract has no such operation; did you mean createPlant?',
  ],
  ['getPlant=/id', '--created getPlant: no path asks for what this operation creates'],
  ['createPlant=id', 'It must be an operation and a JSON pointer to the identifier of what it creates'],
])('--created %s: %s', async (text, message) => {
  const args = ['verify', 'http://127.0.0.1:9', '--token', token, '--spec', document, '--created', text]
  const { code, stderr } = await plantstore(args, { cwd: emptyFolder() })
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})
