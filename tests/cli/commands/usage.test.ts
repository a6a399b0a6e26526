import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { silentServer } from '../servers.ts'

/** One line that says what is wrong and how to go on; the second at most points to the help. */
const refused = async (
  args: readonly string[],
  message: string,
  where?: Parameters<typeof plantstore>[1],
): Promise<void> => {
  const { code, stdout, stderr } = await plantstore(args, where)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const [first, ...rest] = stderr.trimEnd().split('\n')
  expect(first).toBe(`plantstore: ${message}`)
  expect(rest.filter(line => !/^\(plantstore.* --help tells more\)$/.test(line))).toEqual([])
}

describe('what is mistyped is refused, with a suggestion', () => {
  test.each([
    [['verfy'], "unknown command 'verfy' (Did you mean verify?)"],
    [['verify', '--tokn', 'x'], "unknown option '--tokn' (Did you mean --token?)"],
    [['mock', '--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
    [['report', 'x', '--fromat', 'json'], "unknown option '--fromat' (Did you mean --format?)"],
    [['obligations', '--spce', 'x'], "unknown option '--spce' (Did you mean --spec?)"],
    [['replay', 'x'], "missing required argument 'id'"],
    [
      ['verify', 'http://a.test', 'b'],
      "too many arguments for 'verify'. Expected 1 argument but got 2: http://a.test, b.",
    ],
    [['verify', '-q', '-v'], "option '-q, --quiet' cannot be used with option '-v, --verbose'"],
  ])('%j', (args, message) => refused(args, message))
})

describe('a value that cannot be is refused, and what could be is told', () => {
  const option = (name: string, value: string, why: string): string =>
    `option '${name}' argument '${value}' is invalid. ${why}`
  const url = (value: string, why: string): string => `value '${value}' is invalid for argument 'url'. ${why}`
  const time = 'It must be a time such as 500ms, 30s or 2m, at most 24h.'
  const base = 'It must be a base URL, without credentials, query and fragment.'
  const http = 'It must be an http or https URL, such as http://127.0.0.1:4010.'
  test.each([
    [['verify', 'store.test'], url('store.test', http)],
    [['verify', 'ftp://store.test'], url('ftp://store.test', http)],
    [['verify', 'http://me:secret@store.test'], url('http://me:secret@store.test', base)],
    [['verify', 'http://:secret@store.test'], url('http://:secret@store.test', base)],
    [['verify', 'http://store.test/?a=1'], url('http://store.test/?a=1', base)],
    [
      ['verify', '--cases', '0'],
      option('--cases <n>', '0', 'It must be a whole number from 1 to 10,000,000.'),
    ],
    [
      ['verify', '--cases', '1e3'],
      option('--cases <n>', '1e3', 'It must be a whole number from 1 to 10,000,000.'),
    ],
    [
      ['verify', '--seed', '-1'],
      option('--seed <n>', '-1', 'It must be a whole number from 0 to 2,147,483,647.'),
    ],
    [
      ['verify', '--concurrency', '257'],
      option('--concurrency <n>', '257', 'It must be a whole number from 1 to 256.'),
    ],
    [['verify', '--timeout', '0s'], option('--timeout <duration>', '0s', time)],
    [['verify', '--timeout', '25h'], option('--timeout <duration>', '25h', time)],
    [['verify', '--time', 'soon'], option('--time <duration>', 'soon', time)],
    [
      ['verify', '--token', 'a b'],
      option('--token <token>', 'a b', 'It must be one word of visible ASCII characters.'),
    ],
    [
      ['verify', '--unauthenticated', '403'],
      option('--unauthenticated <policy>', '403', 'Allowed choices are declared, 401, either.'),
    ],
    [
      ['verify', '--report', 'html,pdf'],
      option(
        '--report <formats>',
        'html,pdf',
        'It must be one or more of ndjson, json, junit, html, terminal, ctrf, sarif, markdown, github, gitlab, har, trace, allure, with commas between them; or all.',
      ),
    ],
    [
      ['mock', '--port', '65536'],
      option('--port <n>', '65536', 'It must be a whole number from 0 to 65,535.'),
    ],
  ])('%j', (args, message) => refused(args, message))
})

test('a token of the environment is held to the same rule as that of the flag', () =>
  refused(['verify'], 'PLANTSTORE_TOKEN cannot be used: It must be one word of visible ASCII characters.', {
    env: { PLANTSTORE_TOKEN: 'two words' },
  }))

describe('a folder that cannot be written', () => {
  test('is told before anything is sent, and is left as it was', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), 'mine')
    await refused(
      ['verify', '--out', 'file/deeper'],
      'the output folder file/deeper cannot be written (ENOTDIR): choose another with --out',
      { cwd },
    )
    await refused(
      ['verify', '--out', 'file'],
      'the output folder file cannot be written (ENOTDIR): choose another with --out',
      { cwd },
    )
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('mine')
  })

  test('is told where one report cannot be written, and the others are', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'out/report.html'), { recursive: true })
    const { code, stdout, stderr } = await plantstore(['verify', '--cases', '50', '--out', 'out'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('CONFORMANT')
    expect(stderr).toContain('out/report.html could not be written: EISDIR')
    for (const file of ['ledger.ndjson', 'report.json', 'junit.xml'])
      expect(existsSync(join(cwd, 'out', file))).toBe(true)
  })
})

test('a port that is taken is told, with the flag that chooses another', () =>
  during(silentServer(), ({ port }) =>
    refused(
      ['mock', '--port', String(port)],
      `port ${port} is in use: choose another with --port, or --port 0 for any free one`,
    ),
  ))

test('an address that is not ours is told, with the flag that chooses another', () =>
  refused(
    ['mock', '--host', '192.0.2.1'],
    '192.0.2.1 is not an address of this machine: choose another with --host',
  ))

describe('a ledger that cannot be read', () => {
  const start = '{"type":"exchange"}'
  test.each([
    ['none', null, 'gone.ndjson cannot be read (ENOENT): give the ledger.ndjson of a run'],
    ['empty', '', 'it.ndjson is not the ledger of a run: line 1 is not an event of a run: the file is empty'],
    [
      'text',
      'hello\n',
      'it.ndjson is not the ledger of a run: line 1 is not an event of a run: it is not JSON',
    ],
    [
      'other JSON',
      '{"type":"end"}\n',
      'it.ndjson is not the ledger of a run: line 1 is not an event of a run: /stopped is not done, time, bail, interrupt, unreachable, fault',
    ],
    [
      'half an event',
      start,
      'it.ndjson is not the ledger of a run: line 1 is not an event of a run: /id is not a string',
    ],
  ])('%s', async (_name, text, message) => {
    const cwd = emptyFolder()
    if (text !== null) writeFileSync(join(cwd, 'it.ndjson'), text)
    const file = text === null ? 'gone.ndjson' : 'it.ndjson'
    await refused(['report', file], message, { cwd })
    await refused(['replay', file, '000'], message, { cwd })
  })
})
