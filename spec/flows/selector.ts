import { isObject, type Json } from '../json/json.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { type Flow, FlowError } from './flow.ts'

/** A part of the value of an expression (Arazzo 1.1.0 4.6.15). */
export type Selector = {
  /** A runtime expression. */
  readonly context: string
  readonly kind: 'jsonpath' | 'jsonpointer' | 'xpath'
  readonly selector: string
}

/** The types of selectors, as they are written: a name, or an object with a name and a version. */
export const selectorType = (type: unknown): unknown =>
  typeof type === 'object' && type !== null && 'type' in type ? type.type : type

/** The selector that a value of a workflow is; null if it is another value. */
export const selectorIn = (value: Json): Selector | null => {
  if (!isObject(value) || Object.keys(value).length !== 3) return null
  const { context, selector, type } = value
  const kind = selectorType(type)
  return typeof context === 'string' &&
    context.startsWith('$') &&
    typeof selector === 'string' &&
    (kind === 'jsonpath' || kind === 'jsonpointer' || kind === 'xpath')
    ? { context, kind, selector }
    : null
}

type JsonPath = typeof import('../openapi/overlay/json-path-library.ts')['jsonpath']

let library: JsonPath | null = null

type XPath = typeof import('./xpath-library.ts')['xpath']

let xpathLibrary: XPath | null = null

/** Has to be done before an XPath is evaluated. */
export const loadXPath = async (): Promise<void> => {
  xpathLibrary ??= (await import('./xpath-library.ts')).xpath
}

/** Whether an XPath holds of a text of XML, and what it finds there. Throws FlowError. */
export const xpathHolds = (path: string, value: Json): boolean => asked(path, value, 'holds')
const xpathTexts = (path: string, value: Json): readonly string[] => asked(path, value, 'textsOf')

const asked = <Name extends keyof XPath>(path: string, value: Json, name: Name): ReturnType<XPath[Name]> => {
  if (xpathLibrary === null) throw new Error('XPath is not loaded')
  try {
    return xpathLibrary[name](path, typeof value === 'string' ? value : '') as ReturnType<XPath[Name]>
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new FlowError(`the XPath ${path} cannot be evaluated: ${reason}`)
  }
}

/** Has to be done before a JSONPath is evaluated. */
export const loadJsonPath = async (): Promise<void> => {
  library ??= (await import('../openapi/overlay/json-path-library.ts')).jsonpath
}

/** Has to be done before workflows are played: loads what their paths need. */
export const loadPathsOf = async (flows: readonly Flow[]): Promise<void> => {
  await loadJsonPath()
  if (JSON.stringify(flows).includes('"xpath"')) await loadXPath()
}

/** The places in a value that a JSONPath leads to. Throws FlowError. */
export const placesOfPath = (path: string, value: Json): readonly Pointer[] => {
  if (library === null) throw new Error('JSONPath is not loaded')
  try {
    return library.query(path, value as never).nodes.map(({ location }) => location.reduce(step, ''))
  } catch (error) {
    throw new FlowError(`${path} is not a JSONPath (RFC 9535): ${(error as Error).message}`)
  }
}

/** What a selector finds in a value; of several values a list. Undefined: it finds nothing. Throws FlowError. */
export const selected = ({ kind, selector }: Selector, value: Json): Json | undefined => {
  if (kind === 'xpath') {
    const texts = xpathTexts(selector, value)
    return texts.length < 2 ? texts[0] : texts
  }
  const places = kind === 'jsonpath' ? placesOfPath(selector, value) : [selector.replace(/^#/, '')]
  const found = places.map(place => valueAt(value, place) as Json | undefined)
  return found.length < 2 ? found[0] : found.filter(each => each !== undefined)
}
