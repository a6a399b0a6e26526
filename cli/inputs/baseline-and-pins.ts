import { existsSync, writeFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { type BaselineEntry, compileSchema, type Json, type Pin, steps } from '../../spec/index.ts'
import baselineSchema from '../config/baseline.schema.json' with { type: 'json' }
import pinsSchema from '../config/pins.schema.json' with { type: 'json' }
import { readYamlFile } from '../config/yaml-file.ts'
import { UsageError } from '../process/exit.ts'

/** A baseline from a file. Throws UsageError with the line where it is none. */
export const readBaseline = (file: string): readonly BaselineEntry[] =>
  read<{ readonly findings: readonly BaselineEntry[] }>(file, baselineKind).findings

/** The same of pins. */
export const readPins = (file: string): readonly Pin[] =>
  read<{ readonly pins: readonly Pin[] }>(file, pinsKind).pins

/** Null where there is no such file yet. */
export const baselineIn = (file: string): readonly BaselineEntry[] | null =>
  existsSync(file) ? readBaseline(file) : null
export const pinsIn = (file: string): readonly Pin[] | null => (existsSync(file) ? readPins(file) : null)

export const writeBaseline = (file: string, findings: readonly BaselineEntry[]): void =>
  write(file, 'Broken promises accepted on adoption: only ever fewer. `plantstore baseline` writes it.', {
    version: 1,
    findings,
  })

export const writePins = (file: string, pins: readonly Pin[]): void =>
  write(
    file,
    'Answers to the open questions, held by `verify --pins`; * stands for any characters. `plantstore pin` writes it.',
    { version: 1, pins },
  )

type Kind = { readonly what: string; readonly make: string; readonly schema: object }

const baselineKind: Kind = { what: 'the baseline', make: 'plantstore baseline', schema: baselineSchema }
const pinsKind: Kind = { what: 'the pins', make: 'plantstore pin', schema: pinsSchema }

const read = <T>(file: string, { what, make, schema }: Kind): T => {
  if (!existsSync(file))
    throw new UsageError(`${what} in ${file} cannot be read (ENOENT): ${make} LEDGER --out ${file} writes it`)
  const { value, at } = readYamlFile(file, what)
  const [wrong] = compileSchema(schema as Record<string, unknown>)(value as Json)
  if (wrong !== undefined) {
    const path = steps(wrong.at)
    const told = wrong.keyword === 'const' ? `must be ${JSON.stringify(wrong.constraint)}` : wrong.message
    throw new UsageError(`${at(path)}: ${what}: ${path.join('.')} ${told}`)
  }
  return value as T
}

// JSON where the file's name says so: for tools that read no YAML.
const write = (file: string, comment: string, value: object): void => {
  const text = file.endsWith('.json')
    ? `${JSON.stringify(value, null, 2)}\n`
    : `# ${comment}\n${stringify(value, { lineWidth: 0, schema: 'core' })}`
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
