import type { Waiver } from '../../spec/index.ts'
import { readYamlFile } from '../config/yaml-file.ts'
import { UsageError } from '../process/exit.ts'

/** Waivers as they are given: a list, each with obligation, reason, owner and expires, or a YAML or JSON file of one. */
export const readWaivers = (given: string | readonly Waiver[]): readonly Waiver[] => {
  if (typeof given !== 'string') return given
  const { value: found } = readYamlFile(given, 'the waivers')
  if (!Array.isArray(found) || found.some(one => typeof one !== 'object' || one === null))
    throw new UsageError(`${given} is no list of waivers: give each obligation, reason, owner and expires`)
  return found as readonly Waiver[]
}
