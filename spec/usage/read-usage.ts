import { isNode } from '../json/follow-refs.ts'
import { type Usage, type UsedOperation, usageFormat } from './usage.ts'

/** Reads a usage from parsed JSON; a text says why it is none. */
export const readUsage = (value: unknown): Usage | string => {
  if (!isNode(value) || value.format !== usageFormat) return `its \`format\` is not ${usageFormat}`
  if (value.version !== 1) return 'its version is not 1'
  if (!isNode(value.operations)) return 'it has no `operations`'
  const wrong = Object.entries(value.operations).find(([, used]) => !isUsed(used))
  return wrong === undefined ? (value as Usage) : `its operation ${wrong[0]} is not as the mock writes it`
}

const isUsed = (value: unknown): value is UsedOperation =>
  isNode(value) &&
  Number.isInteger(value.requests) &&
  isNode(value.sent) &&
  Object.values(value.sent).every(Number.isInteger) &&
  isNode(value.served) &&
  Object.values(value.served).every(isTexts) &&
  (value.read === undefined || isTexts(value.read)) &&
  (value.unclear === undefined || typeof value.unclear === 'boolean')

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(each => typeof each === 'string')
