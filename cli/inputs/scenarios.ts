import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { readScenarioText, type ScenarioSets, type ScenariosByOperation } from '../../mock/index.ts'
import { UsageError } from '../process/exit.ts'

/** The scenarios of the command line; what is said of one operation more than once is put together. */
export const scenariosOf = (texts: readonly string[] = []): ScenariosByOperation => {
  const found: Record<string, Record<string, unknown>> = {}
  for (const { operation, scenario } of texts.map(readScenarioText))
    found[operation] = { ...found[operation], ...scenario }
  return found
}

/** Reads sets of scenarios from a YAML or JSON file: `sets`, by name and operation. The mock checks the rest. */
export const readSets = (file: string): ScenarioSets => {
  const found = contentOf(file)
  const { sets, ...rest } =
    typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : {}
  if (typeof sets !== 'object' || sets === null || Array.isArray(sets) || Object.keys(rest).length > 0)
    throw new UsageError(
      `${file} has no sets of scenarios: write it as sets: {NAME: {OPERATION: {status: 400}}}, and nothing beside sets`,
    )
  return sets as ScenarioSets
}

const contentOf = (file: string): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'), { schema: 'core' })
  } catch (error) {
    const said = (error as Error).message.split('\n')[0]
    throw new UsageError(`the scenarios in ${file} cannot be read: ${said}`)
  }
}
