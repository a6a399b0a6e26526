import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { during, emptyFolder, plantstore, plantstoreProcess } from '../command.ts'
import { silentServer } from '../servers.ts'

/** Expects one line with the mistake and the way out, and at most a second one that names the help. */
const rejects = async (
  args: readonly string[],
  message: string,
  context?: Parameters<typeof plantstore>[1],
): Promise<void> => {
  const { code, stdout, stderr } = await plantstore(args, context)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const [first, ...rest] = stderr.trimEnd().split('\n')
  expect(first).toBe(`plantstore: ${message}`)
  expect(rest.filter(line => !/^\(see plantstore.* --help\)$/.test(line))).toEqual([])
}

describe('a typing error is reported, with a suggestion', () => {
  test.concurrent.each([
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
    [
      ['lint', 'openapi.json'],
      "too many arguments for 'lint'. Expected 0 arguments but got 1: openapi.json. Name the document with --spec.",
    ],
    [['verify', '-q', '-v'], "option '-q, --quiet' cannot be used with option '-v, --verbose'"],
  ])('%j', (args, message) => rejects(args, message))
})

describe('an invalid value is reported, with the valid ones', () => {
  const option = (name: string, value: string, why: string): string =>
    `option '${name}' argument '${value}' is invalid. ${why}`
  const url = (value: string, why: string): string => `value '${value}' is invalid for argument 'url'. ${why}`
  const time = 'It must be a time such as 500ms, 30s or 2m, at most 24h.'
  const base = 'It must be a base URL, without credentials, query and fragment.'
  const http = 'It must be an http or https URL, such as http://127.0.0.1:4010.'
  const fact =
    'It must be a key and a value, such as version=1.4.2. A key begins with a letter, and has at most 50 letters, digits, dots, hyphens, underscores and blanks.'
  test.concurrent.each([
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
    [['verify', '--subject', 'version'], option('--subject <key=value>', 'version', fact)],
    [['verify', '--subject', '1=2'], option('--subject <key=value>', '1=2', fact)],
    [['verify', '--subject', 'a='], option('--subject <key=value>', 'a=', 'It must not be empty.')],
    [['verify', '--subject', 'a=1', '--subject', 'a=2'], '--subject a=… is given twice: give each key once'],
    [
      ['verify', ...Array.from({ length: 21 }, (_, index) => ['--subject', `a${index}=1`]).flat()],
      '--subject is given 21 times: a record has at most 20 of them',
    ],
    [
      ['verify', '--run-by', 'Jane\u001b[31m'],
      option('--run-by <who>', 'Jane\\u001b[31m', 'It must be one line, without control characters.'),
    ],
    [
      ['verify', '--nonce', 'n'.repeat(201)],
      option('--nonce <text>', 'n'.repeat(201), 'It must have at most 200 characters.'),
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
    [['verify', '--max-time', 'soon'], option('--max-time <duration>', 'soon', time)],
    [
      ['verify', '--token', 'a\tb'],
      option(
        '--token <token>',
        'a\\u0009b',
        'It must be visible ASCII characters, with spaces at most between them.',
      ),
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
        'It must be one or more of json, junit, junit-full, html, terminal, ctrf, sarif, markdown, agent, github, gitlab, trace, record, wfc, arazzo, allure, with commas between them; or all.',
      ),
    ],
    [
      ['mock', '--port', '65536'],
      option('--port <n>', '65536', 'It must be a whole number from 0 to 65,535.'),
    ],
  ])('%j', (args, message) => rejects(args, message))
})

test('a process that fails exits with the code of its failure', async () => {
  const { code, stdout, stderr } = await plantstoreProcess(['report', 'gone.ndjson'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe('plantstore: gone.ndjson cannot be read (ENOENT): give the ledger.ndjson of a run\n')
})

test('a token from the environment is checked like one from the flag', () =>
  rejects(
    ['verify'],
    'PLANTSTORE_TOKEN is invalid: It must be visible ASCII characters, with spaces at most between them.',
    {
      env: { PLANTSTORE_TOKEN: 'two\twords' },
    },
  ))

describe('a folder that cannot be written', () => {
  test('is reported before anything is sent, and is not changed', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'file'), 'mine')
    await rejects(
      ['verify', '--out', 'file/deeper'],
      'the output folder file/deeper cannot be written (ENOTDIR): choose another with --out',
      { cwd },
    )
    await rejects(
      ['verify', '--out', 'file'],
      'the output folder file cannot be written (ENOTDIR): choose another with --out',
      { cwd },
    )
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('mine')
  })

  test('that contains one report does not keep the others from being written', async () => {
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'out/report.html'), { recursive: true })
    const { code, stdout, stderr } = await plantstore(
      ['verify', '--cases', '300', '--allow-partial', '--out', 'out'],
      {
        cwd,
      },
    )
    expect(code).toBe(2)
    expect(stdout).toMatch(/^PARTIAL: /m)
    expect(stderr).toContain('out/report.html could not be written: EISDIR')
    for (const file of ['ledger.ndjson', 'report.json', 'junit.xml'])
      expect(existsSync(join(cwd, 'out', file))).toBe(true)
  })
})

test('a port in use is reported, with the flag that chooses another', () =>
  during(silentServer(), ({ port }) =>
    rejects(
      ['mock', '--port', String(port)],
      `port ${port} is in use: choose another with --port, or --port 0 for any free one`,
    ),
  ))

test('an address of another machine is reported, with the flag that chooses another', () =>
  rejects(
    ['mock', '--host', '192.0.2.1'],
    '192.0.2.1 is not an address of this machine: choose another with --host',
  ))

describe('a ledger that cannot be read', () => {
  const start = '{"type":"exchange"}'
  test.concurrent.each([
    ['missing', null, 'gone.ndjson cannot be read (ENOENT): give the ledger.ndjson of a run'],
    ['empty', '', 'it.ndjson is not a ledger: line 1 is not an event of a run: the file is empty'],
    ['text', 'hello\n', 'it.ndjson is not a ledger: line 1 is not an event of a run: it is not JSON'],
    [
      'other JSON',
      '{"type":"end"}\n',
      'it.ndjson is not a ledger: line 1 is not an event of a run: /stopped is missing',
    ],
    [
      'an unknown event',
      '{"type":"never"}\n',
      'it.ndjson is not a ledger: line 1 is not an event of a run: /type must be one of exchange, verdict, finding, note, start, end',
    ],
    ['half an event', start, 'it.ndjson is not a ledger: line 1 is not an event of a run: /id is missing'],
  ])('%s', async (_name, text, message) => {
    const cwd = emptyFolder()
    if (text !== null) writeFileSync(join(cwd, 'it.ndjson'), text)
    const file = text === null ? 'gone.ndjson' : 'it.ndjson'
    await rejects(['report', file], message, { cwd })
    await rejects(['replay', file, '000'], message, { cwd })
  })
})
