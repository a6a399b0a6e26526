import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Waiver } from '../spec/index.ts'
import { UsageError } from './exit.ts'

/** Reads waivers from a YAML or JSON file: a list, each with obligation, reason, owner and expires. */
export const readWaivers = (file: string): readonly Waiver[] => {
  const found = listIn(file)
  if (!Array.isArray(found) || found.some(one => typeof one !== 'object' || one === null))
    throw new UsageError(`${file} is no list of waivers: give each obligation, reason, owner and expires`)
  return found as readonly Waiver[]
}

const listIn = (file: string): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'), { schema: 'core' })
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]
    throw new UsageError(`the waivers in ${file} cannot be read: ${said}`)
  }
}
