import { readPairs } from './pairs.ts'
import { ScenarioError } from './scenario-error.ts'

/**
 * Reads `createPlant:status=400,code=7,delay=100..300` into the id of the operation and its scenario, not yet checked.
 * Throws ScenarioError.
 */
export const readScenarioText = (
  text: string,
): { readonly operation: string; readonly scenario: Readonly<Record<string, unknown>> } => {
  // Ids of operations may have colons of their own, and texts of messages as well.
  const colon = [...text.matchAll(/:/g)].find(({ index }) => /^\s*\w+\s*=/.test(text.slice(index + 1)))?.index
  const pairs = colon === undefined ? null : readPairs(text.slice(colon + 1))
  if (colon === undefined || pairs === null)
    throw new ScenarioError(
      `the scenario ${JSON.stringify(text)} cannot be read: write it as OPERATION:key=value,key=value, such as *:status=400,delay=200`,
    )
  const twice = pairs.find(({ name }, index) => pairs.findIndex(other => other.name === name) !== index)
  if (twice !== undefined)
    throw new ScenarioError(`the scenario ${JSON.stringify(text)} has ${twice.name} twice`)
  return {
    operation: text.slice(0, colon).trim(),
    scenario: Object.fromEntries(pairs.map(({ name, value }) => [name, partOf(name, value ?? '')])),
  }
}

/** The value that a text stands for; the text itself where it is none of this key, for the check to tell. */
export const partOf = (key: string, text: string): unknown => {
  switch (key) {
    case 'status':
    case 'code':
    case 'every':
      return numberOf(text)
    case 'delay': {
      const [from = '', to, ...rest] = text.split('..')
      if (to === undefined) return numberOf(from)
      const range = [from, to].map(numberOf)
      return rest.length === 0 && range.every(Number.isInteger) ? range : text
    }
    case 'limit': {
      const [, requests, seconds] = /^(\d+)\/(\d+(?:\.\d+)?)s?$/.exec(text) ?? []
      return requests === undefined ? text : { requests: Number(requests), seconds: Number(seconds) }
    }
    case 'undeclared':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

const numberOf = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text)
