import { type Command, InvalidArgumentError } from 'commander'
import { nearest } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'
import type { ConfigFile } from './config-file.ts'
import { givenFor, isOfFlags, type Setting, settingsOf, sharedSettings } from './setting.ts'

/** Keys of a file that are no setting. */
export const ownKeys = ['$schema', 'version'] as const

/** Throws UsageError, with the place, where a file holds what is no setting, or what a setting cannot be. */
export const checkConfig = (config: ConfigFile, verbs: readonly Command[]): void => {
  const { value, at } = config
  if (value.version !== undefined && value.version !== 1)
    throw new UsageError(`${at(['version'])}: version: this plantstore reads version 1`)
  const sections = verbs.map(verb => verb.name())
  const shared = sharedSettings()
  const known = [...ownKeys, ...sections, ...shared.map(({ name }) => name)]
  for (const [key, given] of Object.entries(value)) {
    if (ownKeys.some(own => own === key)) continue
    const verb = verbs.find(own => own.name() === key)
    if (verb === undefined) {
      const setting = shared.find(({ name }) => name === key)
      if (setting === undefined) throw new UsageError(`${at([key])}: ${unknownKey(key, known, verbs)}`)
      checkValue(config, [key], setting, given)
    } else if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new UsageError(`${at([key])}: ${key}: it must be a map of settings`)
    else checkSection(config, verb, given)
  }
}

const checkSection = (config: ConfigFile, verb: Command, section: object): void => {
  const settings = settingsOf(verb)
  for (const [key, given] of Object.entries(section)) {
    const path = [verb.name(), key]
    const setting = settings.find(({ name }) => name === key)
    if (setting === undefined)
      throw new UsageError(
        `${config.at(path)}: ${isOfFlags(key) ? `${path.join('.')} is given by its flag alone` : `${verb.name()} has no setting ${key}${suggestion(key, names(settings))}`}`,
      )
    checkValue(config, path, setting, given)
  }
}

const names = (settings: readonly Setting[]): readonly string[] => settings.map(({ name }) => name)

const unknownKey = (key: string, known: readonly string[], verbs: readonly Command[]): string => {
  const homes = verbs.filter(verb => names(settingsOf(verb)).includes(key)).map(verb => verb.name())
  return homes.length > 0
    ? `${key} belongs in a section: ${homes.join(' or ')}`
    : `there is no setting or verb ${key}${suggestion(key, known)}`
}

const suggestion = (key: string, known: readonly string[]): string => {
  const [near] = nearest(key, known)
  return near === undefined ? `: there are ${known.join(', ')}` : ` (did you mean ${near}?)`
}

/** Reads a value; what the environment has to give is read for the verb alone that needs it. */
const checkValue = (config: ConfigFile, path: readonly string[], setting: Setting, given: unknown): void => {
  if (!JSON.stringify(given ?? null).includes('${')) readValue(config, path, setting, given)
}

/** A value of a file as its flag would give it. Throws UsageError with its place. */
export const readValue = (
  { at }: ConfigFile,
  path: readonly string[],
  setting: Setting,
  given: unknown,
): ReturnType<typeof givenFor> => {
  try {
    return givenFor(setting, given)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new UsageError(`${at(path)}: ${path.join('.')}: ${error.message}`)
  }
}
