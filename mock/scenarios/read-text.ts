import { parseJson } from '../../spec/index.ts'
import { ScenarioError } from '../errors.ts'
import { readPreferenceList } from '../preferences/prefer.ts'

/**
 * Reads `createPlant:status=400,code=7,delay=100..300` into the id of the operation and its scenario, which is not
 * checked yet. Throws ScenarioError.
 */
export const readScenarioText = (
  text: string,
): { readonly operation: string; readonly scenario: Readonly<Record<string, unknown>> } => {
  // Ids of operations may contain colons, and so may messages.
  const colon = [...text.matchAll(/:/g)].find(({ index }) => /^\s*\w+\s*=/.test(text.slice(index + 1)))?.index
  const list = colon === undefined ? 0 : readPreferenceList(text.slice(colon + 1))
  if (colon === undefined || typeof list === 'number')
    throw new ScenarioError(
      `the scenario ${JSON.stringify(text)} cannot be read: write it as OPERATION:key=value,key=value, such as *:status=400,delay=200`,
    )
  const twice = list.find(({ name }, index) => list.findIndex(other => other.name === name) !== index)
  if (twice !== undefined)
    throw new ScenarioError(`the scenario ${JSON.stringify(text)} has ${twice.name} twice`)
  return {
    operation: text.slice(0, colon).trim(),
    scenario: Object.fromEntries(list.map(({ name, value }) => [name, partOf(name, value ?? '')])),
  }
}

/** The value that a text stands for; the text itself if it is invalid, for `checkScenario` to report. */
export const partOf = (key: string, text: string): unknown => {
  switch (key) {
    case 'status':
    case 'code':
    case 'every':
    case 'times':
    case 'expires':
      return numberIn(text)
    case 'body':
    case 'patch':
    case 'headers':
    case 'when':
      return jsonIn(text)
    case 'delay': {
      const [from = '', to, ...rest] = text.split('..')
      if (to === undefined) return numberIn(from)
      const range = [from, to].map(numberIn)
      return rest.length === 0 && range.every(Number.isInteger) ? range : text
    }
    case 'limit': {
      const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)s?$/.exec(text) ?? []
      return requests === undefined ? text : { requests: Number(requests), seconds: Number(seconds) }
    }
    case 'stream': {
      const [, events, interval, open] = /^(\d+)(?:\/(\d+)(?:ms)?)?(\/open)?$/.exec(text) ?? []
      if (events === undefined) return text
      return {
        events: Number(events),
        ...(interval === undefined ? {} : { interval: Number(interval) }),
        ...(open === undefined ? {} : { open: true }),
      }
    }
    case 'undeclared':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

const numberIn = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text)

const jsonIn = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
