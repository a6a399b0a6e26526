import { existsSync } from 'node:fs'
import {
  type BaselineEntry,
  compileSchema,
  type Json,
  type Pin,
  steps,
  type Waiver,
} from '../../spec/index.ts'
import baselineSchema from '../config/baseline.schema.json' with { type: 'json' }
import pinsSchema from '../config/pins.schema.json' with { type: 'json' }
import { readYamlFile } from '../config/yaml-file.ts'
import { UsageError } from '../process/exit.ts'

/** Reads waivers: a list, or the YAML or JSON file of one. Throws UsageError. */
const readWaivers = (given: string | readonly Waiver[]): readonly Waiver[] => {
  if (typeof given !== 'string') return given
  const { value } = readYamlFile(given, 'the waivers')
  if (!Array.isArray(value) || value.some(item => typeof item !== 'object' || item === null))
    throw new UsageError(
      `${given} is not a list of waivers: each needs obligation, reason, owner and expires`,
    )
  return value as readonly Waiver[]
}

/** Reads a baseline. Throws UsageError, with the line. */
export const readBaseline = (file: string): readonly BaselineEntry[] =>
  read<{ readonly findings: readonly BaselineEntry[] }>(file, baselineKind).findings

/** Reads pins. Throws UsageError, with the line. */
export const readPins = (file: string): readonly Pin[] =>
  read<{ readonly pins: readonly Pin[] }>(file, pinsKind).pins

/** The same; null if the file does not exist. */
export const baselineIn = (file: string): readonly BaselineEntry[] | null =>
  existsSync(file) ? readBaseline(file) : null
export const pinsIn = (file: string): readonly Pin[] | null => (existsSync(file) ? readPins(file) : null)

type Kind = { readonly what: string; readonly command: string; readonly schema: object }

const baselineKind: Kind = { what: 'the baseline', command: 'plantstore baseline', schema: baselineSchema }
const pinsKind: Kind = { what: 'the pins', command: 'plantstore pin', schema: pinsSchema }

const read = <T>(file: string, { what, command, schema }: Kind): T => {
  if (!existsSync(file))
    throw new UsageError(
      `${what} in ${file} cannot be read (ENOENT): write it with ${command} LEDGER --out ${file}`,
    )
  const { value, at } = readYamlFile(file, what)
  const [violation] = compileSchema(schema as Record<string, unknown>)(value as Json)
  if (violation !== undefined) {
    const path = steps(violation.at)
    const message =
      violation.keyword === 'const' ? `must be ${JSON.stringify(violation.constraint)}` : violation.message
    throw new UsageError(`${at(path)}: ${what}: ${path.join('.')} ${message}`)
  }
  return value as T
}

/** The waivers of a file, none of which may run for longer than so many days. Throws UsageError. */
export const waiversWithin = (
  {
    waivers,
    maxWaiverDays,
  }: { readonly waivers?: string | readonly Waiver[]; readonly maxWaiverDays?: number },
  at: Date,
): readonly Waiver[] => {
  const read = waivers === undefined ? [] : readWaivers(waivers)
  if (maxWaiverDays === undefined) return read
  const last = new Date(at.getTime() + maxWaiverDays * 86_400_000).toISOString().slice(0, 10)
  const long = read.find(({ expires }) => expires > last)
  if (long !== undefined)
    throw new UsageError(
      `the waiver of ${long.obligation} (${long.owner}) expires on ${long.expires}: --max-waiver-days allows ${last} at most`,
    )
  return read
}

/** The known failures that the flags name. Throws UsageError. */
export const baselineOf = ({
  baseline,
  updateBaseline,
}: {
  readonly baseline?: string
  readonly updateBaseline?: boolean
}): readonly BaselineEntry[] => {
  if (baseline !== undefined) return readBaseline(baseline)
  if (updateBaseline === true) throw new UsageError('--update-baseline needs --baseline, the file to update')
  return []
}
