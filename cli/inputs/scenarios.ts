import {
  type LearnedBehavior,
  learnFrom,
  learnFromPins,
  readScenarioText,
  type ScenarioSets,
  type ScenariosByOperation,
} from '../../mock/index.ts'
import { obligationsOf, pinned, safeText, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { readYamlFile } from '../config/yaml-file.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { UsageError } from '../process/exit.ts'
import { loadQuietly } from './contract.ts'
import { readPins } from './gate-files.ts'

/** The scenarios of the command line; several for one operation are merged. */
export const scenariosOf = (texts: readonly string[] = []): ScenariosByOperation => {
  const merged: Record<string, Record<string, unknown>> = {}
  for (const { operation, scenario } of texts.map(readScenarioText))
    merged[operation] = { ...merged[operation], ...scenario }
  return merged
}

type SetFlags = SpecFlags & { readonly scenarioFile?: string; readonly arazzo?: readonly string[] }

/** The scenario sets of a file, and those that play workflows. Throws UsageError, and DocumentError for workflows that cannot be read. */
export const setsOf = async (flags: SetFlags): Promise<ScenarioSets | undefined> => {
  const { scenarioFile, arazzo } = flags
  if (scenarioFile === undefined && arazzo === undefined) return undefined
  const given = scenarioFile === undefined ? {} : readSets(scenarioFile)
  if (arazzo === undefined) return given
  const { playedFlows } = await import('./flows/played-flows.ts')
  return { ...playedFlows(arazzo, await loadQuietly(flags, { mayBeCollection: true })), ...given }
}

/** Reads scenario sets from a YAML or JSON file: `sets`, by name and operation. The mock checks the rest. */
const readSets = (file: string): ScenarioSets => {
  const content = readYamlFile(file, 'the scenarios').value
  const { sets, ...rest } =
    typeof content === 'object' && content !== null ? (content as Readonly<Record<string, unknown>>) : {}
  if (typeof sets !== 'object' || sets === null || Array.isArray(sets) || Object.keys(rest).length > 0)
    throw new UsageError(
      `${file} is not a file of scenario sets: write it as sets: {NAME: {OPERATION: {status: 400}}}, with no other key than sets`,
    )
  return sets as ScenarioSets
}

type LikeFlags = SpecFlags & { readonly unauthenticated: UnauthenticatedPolicy }

/** What the ledger of a run, or a file of pins, teaches a mock of the same document. Throws UsageError and PinError. */
export const learnedFrom = async (file: string, flags: LikeFlags): Promise<LearnedBehavior> => {
  const contract = await loadQuietly(flags)
  if (/\.(?:ya?ml|json)$/i.test(file)) {
    const pins = readPins(file)
    pinned(obligationsOf(contract, flags.unauthenticated), pins)
    return learnFromPins(pins, file)
  }
  const { ledgerFrom } = await import('./ledger.ts')
  const ledger = ledgerFrom(file)
  const { digest, title, source } = ledger.start.contract
  if (contract.digest !== digest)
    throw new UsageError(
      `--like: ${file} is of another contract (${safeText(title)}, ${safeText(source)}): give its document with --spec`,
    )
  return learnFrom(ledger)
}
