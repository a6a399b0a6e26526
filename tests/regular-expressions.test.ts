/** No text, however long and whoever sends it, takes more than linear time to read. */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { RegExpParser } from '@eslint-community/regexpp'
import { check } from 'recheck'
import { expect, test } from 'vitest'
import { type RegularExpression, regularExpressions } from './regular-expressions.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('{spec,generator,mock,conformance,reports,playwright-runner,cli}/**/*.ts', {
  cwd: root,
})
const found = regularExpressions(root, ['index.ts', ...files])

/**
 * Why a regular expression may take more than linear time; null if nothing is known. One that is to find all matches is as slow as any
 * of its alternatives: `\{[^}]*\}|.` finds something everywhere, each time after a look at all that follows.
 */
const fault = async ({
  source,
  flags,
}: Pick<RegularExpression, 'source' | 'flags'>): Promise<string | null> => {
  for (const each of flags.includes('g') ? alternativesOf(source, flags) : [source]) {
    // A deadline would let the answer depend on what else is running. Where it has to try, it finds no more in ten rounds than in five.
    const look = () => check(each, flags.replace('g', ''), { timeout: null, maxIteration: 5 })
    let result = await look()
    // What is found by trying is found each time; a machine with much else to do has shown it once for what is linear.
    for (let again = 0; again < 2 && result.status === 'vulnerable' && result.checker === 'fuzz'; again++)
      result = await look()
    if (result.status === 'unknown') return `${each}: ${result.error.kind}`
    if (result.status === 'vulnerable')
      return `${each}: ${result.complexity.summary} for ${result.attack.pattern}`
  }
  return null
}

const alternativesOf = (source: string, flags: string): readonly string[] => {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
  const { alternatives } = new RegExpParser().parsePattern(source, 0, source.length, modes)
  return alternatives.length === 1 ? [source] : [source, ...alternatives.map(({ raw }) => raw)]
}

test.each([
  ['exponential', '^(a+)+$', ''],
  // Each letter of a run may begin a match.
  ['2nd degree', '([A-Za-z]+)[ \\t]+(/[^\\s]*)', 'g'],
  ['2nd degree', '\\{[^}]*\\}|.', 'gs'],
  ['linear', '(?<![A-Za-z])([A-Za-z]+)[ \\t]+(/[^\\s]*)', 'g'],
])('it takes %s time to look for %s', async (time, source, flags) => {
  expect((await fault({ source, flags })) ?? 'linear').toContain(time)
})

test('each regular expression takes linear time', { timeout: 300_000 }, async () => {
  const places = Map.groupBy(found, ({ source, flags }) => `/${source}/${flags.replace('g', '')}`)
  expect(places.size).toBeGreaterThan(600)
  const faults: string[] = []
  const queue = places.values()
  const worker = async (): Promise<void> => {
    for (const same of queue) {
      const problem = await fault(
        same.find(({ flags }) => flags.includes('g')) ?? (same[0] as RegularExpression),
      )
      if (problem !== null) faults.push([...same.map(({ file }) => file), problem].join(' '))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  expect(faults).toEqual([])
})
