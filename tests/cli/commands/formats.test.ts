import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { anyFormats } from '../../../cli/options/output-flags.ts'
import { folders, reports } from '../../../reports/index.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore } from '../servers.ts'

test('all formats can be chosen by name', () => {
  expect([...anyFormats].sort()).toEqual([...Object.keys(reports), ...Object.keys(folders)].sort())
})

describe('a run with findings', () => {
  const cwd = emptyFolder()
  const summary = join(cwd, 'summary.md')
  let stdout = ''
  beforeAll(() =>
    during(brokenStore('takes-id-in-quotes'), async ({ url, token }) => {
      writeFileSync(summary, 'earlier steps\n')
      mkdirSync(join(cwd, 'out/allure-results'), { recursive: true })
      for (const name of [`${folders.allure.prefix}old-result.json`, 'other-result.json'])
        appendFileSync(join(cwd, 'out/allure-results', name), '{}')
      ;({ stdout } = await plantstore(
        ['verify', url, '--token', token, '--seed', '3', '--cases', '300', '--report', 'all', '--out', 'out'],
        { cwd, env: { GITHUB_STEP_SUMMARY: summary } },
      ))
    }),
  )

  test('prints annotations for GitHub Actions, and appends its summary to that of earlier steps', () => {
    const lines = stdout.split('\n').filter(line => line.startsWith('::'))
    expect(lines).toHaveLength(2)
    expect(`${lines.join('\n')}\n`).toBe(readFileSync(join(cwd, 'out', reports.github.file), 'utf8'))
    const markdown = readFileSync(join(cwd, 'out', reports.markdown.file), 'utf8')
    expect(readFileSync(summary, 'utf8')).toBe(`earlier steps\n${markdown}`)
    expect(stdout.trimEnd().split('\n').at(-2)).toMatch(/^NOT CONFORMANT/)
  })

  test('replaces its own files in an Allure folder, and keeps those of others', async () => {
    const names = readdirSync(join(cwd, 'out/allure-results'))
    expect(names).toContain('other-result.json')
    expect(names).not.toContain(`${folders.allure.prefix}old-result.json`)
    const args = ['report', 'out/ledger.ndjson', '--format', 'allure', '--out', 'again']
    expect((await plantstore(args, { cwd })).stdout).toBe('written: again\n')
    const again = readdirSync(join(cwd, 'again'))
    expect([...again, 'other-result.json'].sort()).toEqual(names.sort())
    for (const name of again)
      expect(readFileSync(join(cwd, 'again', name), 'utf8')).toBe(
        readFileSync(join(cwd, 'out/allure-results', name), 'utf8'),
      )
  })

  test('cannot print a format that is a folder', async () => {
    const { code, stderr } = await plantstore(['report', 'out/ledger.ndjson', '--format', 'allure'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toBe('plantstore: allure is a folder of files: name it with --out\n')
  })

  test('reports that the step summary cannot be written, and writes everything else', async () => {
    const { code, stderr } = await plantstore(
      ['verify', '--cases', '30', '--report', 'github', '--out', 'other'],
      { cwd, env: { GITHUB_STEP_SUMMARY: cwd } },
    )
    expect(code).toBe(2)
    expect(stderr).toContain('the step summary could not be written: EISDIR')
    expect(readdirSync(join(cwd, 'other')).sort()).toEqual([reports.github.file, 'ledger.ndjson'].sort())
  })
})
