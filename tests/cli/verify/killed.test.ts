/** A run that is killed leaves what was there before or what it has written, whole, and never reports of two runs. */
import { readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { emptyFolder, plantstore, start } from '../command.ts'

const out = 'plantstore-report'
const ledger = 'ledger.ndjson'

const verify = (seed: number): readonly string[] => {
  const small = ['--cases', '60', '--allow-partial', '--seed', String(seed)]
  return ['verify', 'embedded-mock', ...small, '--report', 'all', '--bundle', join(out, 'run.zip')]
}

/** Kills a run after so many changes in its folder. */
const killAfter = async (changes: number, cwd: string, seed: number): Promise<void> => {
  const child = start(verify(seed), { cwd })
  let seen = 0
  const watcher = watch(join(cwd, out), () => {
    seen += 1
    if (seen === changes) child.kill('SIGKILL')
  })
  await child.ended
  watcher.close()
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether a report is whole, by its ending. */
const ends: Readonly<Record<string, (text: string) => boolean>> = {
  '.json': isJson,
  '.sarif': isJson,
  '.xml': text => /<\/testsuite>\s*$/.test(text),
  '.html': text => /<\/html>\s*$/.test(text),
  '.md': text => text.endsWith('\n'),
  '.csv': text => text.endsWith('\n'),
  '.txt': text => text.endsWith('\n'),
}

/** The seed of the run in a folder, all of whose files are whole and its own. */
const expectWhole = (cwd: string): number => {
  const read = (file: string): string => readFileSync(join(cwd, out, file), 'utf8')
  const { start: began, end } = foldLedger(readLedger(read(ledger)))
  expect(end).not.toBeNull()
  const files = readdirSync(join(cwd, out), { recursive: true, encoding: 'utf8' })
  for (const file of files) expect(ends[extname(file)]?.(read(file)) ?? true, file).toBe(true)
  // Reports are written after their ledger. The categories of Allure are those of every run, and other tools may add to them.
  const written = (file: string): number => statSync(join(cwd, out, file)).mtimeMs
  const older = files
    .filter(file => ends[extname(file)] !== undefined && basename(file) !== 'categories.json')
    .filter(file => written(file) < written(ledger))
  expect(older).toEqual([])
  return began.seed
}

test('whenever a run is killed, the folder holds the run before or this one, whole', async () => {
  const cwd = emptyFolder()
  await plantstore(verify(1), { cwd })
  const all = readdirSync(join(cwd, out)).sort()
  let seed = 1
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 30, max: 100 }), async changes => {
      const [before, now] = [seed, seed + 1]
      await killAfter(changes, cwd, now)
      seed = expectWhole(cwd)
      expect([before, now]).toContain(seed)
    }),
    { numRuns: 4, endOnFailure: true },
  )
  // No process has this id. Runs that are killed while they write a bundle leave such a file, which the next one removes.
  writeFileSync(join(cwd, out, 'run.zip.4194305.part'), '')
  await plantstore(verify(99), { cwd })
  expect(expectWhole(cwd)).toBe(99)
  expect(readdirSync(join(cwd, out)).sort()).toEqual(all)
}, 120_000)
