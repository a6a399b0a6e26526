import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type FormatName, formatNames, reports } from '../../../reports/index.ts'
import { allTested } from '../../conclusion-so-far.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const esc = '\u001b['
const small = ['verify', '--cases', '300', '--seed', '7']
const short = ['--cases', '300', ...allTested]
/** Where only the form of the output matters. */
const tiny = ['verify', '--cases', '20', '--seed', '7', '--report', 'json']

describe('results go to stdout, messages to stderr', () => {
  test('the run is printed on stdout, its progress on stderr, without colours and carriage returns', async () => {
    const { stdout, stderr } = await plantstore(tiny)
    expect(stdout).toMatch(/^plantstore verify /)
    expect(stderr).toMatch(/^verifying /)
    expect(stderr).toMatch(/100 %/)
    expect(stdout + stderr).not.toMatch(/[\u001b\r]/)
  })

  test('--quiet prints only the verdict', async () => {
    const { stdout, stderr } = await plantstore([...small, '--quiet'])
    expect(stdout).toMatch(
      /^PARTIAL: 300 of the 1,500 cases that the contract needs, nothing failed \(214 of 214 MUST passed\) [^\n]*\n$/,
    )
    expect(stderr).toBe('')
  })

  test('--summary json prints one line on stdout, whatever else is asked for, and the rest on stderr', async () => {
    const cwd = emptyFolder()
    const { code, stdout, stderr } = await plantstore(
      [...small, '--summary', 'json', '--report', 'json,github', '--skip', 'createPlant/auth', '-v'],
      { cwd, env: { GITHUB_STEP_SUMMARY: join(cwd, 'step.md') } },
    )
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/)
    const { exitCode, conclusion, reports: files, ledger, score, must } = JSON.parse(stdout)
    expect({ exitCode, conclusion }).toEqual({ exitCode: code, conclusion: 'partial' })
    const report = JSON.parse(readFileSync(join(cwd, files.json), 'utf8'))
    expect(report).toMatchObject({ score, must, conclusion })
    expect(score).toBeLessThan(100)
    expect(readFileSync(join(cwd, ledger), 'utf8')).toContain('"type":"end"')
    expect(stderr).toMatch(/^PARTIAL: /m)
    expect(stderr).toMatch(/^::error /m)
  })

  test('--summary json prints nothing on stdout if there was no run, and the exit code says why', async () => {
    const { code, stdout, stderr } = await plantstore([
      'verify',
      'embedded-mock',
      '--spec',
      'none.yaml',
      '--summary',
      'json',
    ])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('none.yaml')
  })

  test('--verbose prints every obligation', async () => {
    const { stdout } = await plantstore([...tiny, '--verbose'])
    const ids = (await plantstore(['obligations'])).stdout.match(/createPlant\/\S+/g) ?? []
    expect(ids.length).toBeGreaterThan(150)
    expect(ids.filter(id => !stdout.includes(id))).toEqual([])
  })

  test('report prints a format on stdout, and nothing else', async () => {
    const cwd = emptyFolder()
    await plantstore(tiny, { cwd })
    const { stdout, stderr } = await plantstore(
      ['report', 'plantstore-report/ledger.ndjson', '--format', 'json'],
      { cwd },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toBeTruthy()
  })
})

describe('colour', () => {
  test.concurrent.each([
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ CI: 'true' }, false],
  ] as const)('with %j: %s', async (env, coloured) => {
    const { stdout } = await plantstore(tiny, { env })
    expect(stdout.includes(esc)).toBe(coloured)
  })

  test('does not change the text', async () => {
    const [plain, coloured] = await Promise.all([
      plantstore([...tiny, '-q']),
      plantstore([...tiny, '-q'], { env: { FORCE_COLOR: '1' } }),
    ])
    const untimed = (text: string): string =>
      text.replaceAll(/\u001b\[\d+m/g, '').replace(/in [\d.]+ m?s/, 'in a while')
    expect(coloured.stdout).not.toBe(plain.stdout)
    expect(untimed(coloured.stdout)).toBe(untimed(plain.stdout))
  })
})

describe.each([
  ['a run with findings', () => brokenStore('takes-id-in-quotes'), 1, '"type":"finding"', 1],
  [
    'a second run on a store that keeps the plants of the first one',
    () => {
      const ids = new Set<bigint>()
      return storeWith({
        id: value =>
          typeof value === 'bigint' &&
          BigInt.asIntN(64, value) === value &&
          !ids.has(value) &&
          !!ids.add(value),
      })
    },
    2,
    'an earlier run with this seed has used its ids',
    0,
  ],
] as const)(
  'report of %s prints the same bytes that the run wrote',
  (_name, open, times, recorded, expected) => {
    const cwd = emptyFolder()
    let code: number | null = null
    beforeAll(() =>
      during(open(), async ({ url, token }) => {
        for (let time = 0; time < times; time++)
          ({ code } = await plantstore(
            ['verify', url, '--token', token, '--seed', '3', ...short, '--report', 'all', '--out', '.'],
            { cwd },
          ))
      }),
    )

    test('which is such a run', () => {
      expect(code).toBe(expected)
      expect(readFileSync(join(cwd, 'ledger.ndjson'), 'utf8')).toContain(recorded)
    })

    test.concurrent.each(formatNames)('as %s', async (format: FormatName) => {
      const written = readFileSync(join(cwd, reports[format].file), 'utf8')
      const printed = await plantstore(['report', 'ledger.ndjson', '--format', format, ...allTested], { cwd })
      expect(printed.stdout).toBe(written)
      expect(printed.stderr).toBe('')
      expect(printed.code).toBe(code)
    })

    test('writes the same bytes to a file', async () => {
      const file = await plantstore(['report', 'ledger.ndjson', '--format', 'sarif', '--out', 'again'], {
        cwd,
      })
      expect(file.stdout).toBe('written: again\n')
      expect(readFileSync(join(cwd, 'again'), 'utf8')).toBe(
        readFileSync(join(cwd, reports.sarif.file), 'utf8'),
      )
    })
  },
)
