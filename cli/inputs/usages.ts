import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EvolveOptions } from '../../conformance/index.ts'
import { mergedUsage, readUsage, type Usage } from '../../spec/index.ts'
import { type UsedByFlag, usedByPaths } from '../options/pairs.ts'
import { UsageError } from '../process/exit.ts'

/** What the clients of `--used-by` use; undefined if none is named. Throws UsageError. */
export const usagesOf = (values: UsedByFlag | undefined): EvolveOptions['usedBy'] => {
  if (values === undefined) return undefined
  const byName = Map.groupBy(usedByPaths(values), ([name]) => name)
  return Object.fromEntries(
    [...byName].map(([name, paths]) => [name, mergedUsage(paths.flatMap(([, path]) => usagesIn(path)))]),
  )
}

/** Of a folder, all its files. */
const usagesIn = (path: string): readonly Usage[] => {
  const files = filesIn(path)
  if (files.length === 0) throw new UsageError(`--used-by: the folder ${path} has no .json file`)
  return files.map(usageIn)
}

const filesIn = (path: string): readonly string[] => {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter(name => name.endsWith('.json'))
    return names.sort().map(name => join(path, name))
  } catch (error) {
    throw new UsageError(`--used-by: ${path} cannot be read: ${(error as Error).message}`)
  }
}

const usageIn = (file: string): Usage => {
  const usage = readUsage(parsed(file))
  if (typeof usage !== 'string') return usage
  throw new UsageError(
    `--used-by: ${file} does not hold what a client uses: ${usage}. The mock gives it at /__plantstore/usage`,
  )
}

const parsed = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--used-by: ${file} cannot be read: ${(error as Error).message}`)
  }
}
