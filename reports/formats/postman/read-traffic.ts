import {
  asNode,
  type DocumentNode,
  type Headers,
  header,
  placeholder,
  safeText,
  type TrafficEntry,
} from '../../../spec/index.ts'
import { TrafficError } from '../../errors.ts'
import { addressOf, listAt, objectAt, readHar } from '../har/read.ts'

/** Reads what a HAR file or a Postman collection has recorded; to judge, to replay, or to take examples from. Throws TrafficError. */
export const readTraffic = (text: string): readonly TrafficEntry[] => {
  const file = parsed(text)
  if (Array.isArray(asNode(file.log).entries)) return readHar(file)
  // What the API of Postman gives is wrapped.
  const collection = 'collection' in file ? asNode(file.collection) : file
  if (Array.isArray(collection.item)) return readPostman(collection)
  throw new TrafficError(
    'it is neither a HAR file, which has a list `log.entries`, nor a Postman collection (v2.1), which has a list `item`',
  )
}

const parsed = (text: string): DocumentNode => {
  try {
    return asNode(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    throw new TrafficError(`it is not JSON: ${safeText((error as SyntaxError).message)}`)
  }
}

/** The requests of a Postman collection, each with every response that was saved for it. Throws TrafficError. */
const readPostman = (collection: DocumentNode): readonly TrafficEntry[] =>
  entriesOf(collection, '', variablesOf(collection, new Map()))

type Variables = ReadonlyMap<string, string>

/** The entries of a folder and of those in it. */
const entriesOf = (folder: DocumentNode, place: string, variables: Variables): readonly TrafficEntry[] =>
  listAt(folder.item, `${place}item`).flatMap((value, index) => {
    const at = `${place}item[${index}]`
    const item = objectAt(value, at)
    if (Array.isArray(item.item)) return entriesOf(item, `${at}.`, variablesOf(item, variables))
    const saved = item.response === undefined ? [] : listAt(item.response, `${at}.response`)
    const request = item.request
    if (saved.length === 0) return [entryOf(request, {}, variables, at)]
    return saved.map((each, number) => {
      const response = objectAt(each, `${at}.response[${number}]`)
      return entryOf(response.originalRequest ?? request, response, variables, `${at}.response[${number}]`)
    })
  })

const variablesOf = ({ variable }: DocumentNode, outer: Variables): Variables =>
  new Map([
    ...outer,
    ...enabled(variable).map(({ key, id, value }) => [String(key ?? id), String(value ?? '')] as const),
  ])

/** A list of pairs, without those that are switched off. */
const enabled = (list: unknown): readonly DocumentNode[] =>
  Array.isArray(list) ? list.map(asNode).filter(({ disabled }) => disabled !== true) : []

const deepest = 5

/** A text with the values of its variables. What is known to an environment only, or is a secret, stays a placeholder. */
const resolved = (text: unknown, variables: Variables, depth = 0): string =>
  String(text ?? '').replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    const value = variables.get(name.trim())
    return value === undefined || value === '' || depth >= deepest
      ? placeholder('right')
      : resolved(value, variables, depth + 1)
  })

const entryOf = (
  given: unknown,
  response: DocumentNode,
  variables: Variables,
  place: string,
): TrafficEntry => {
  const request = typeof given === 'string' ? { url: given } : objectAt(given, `${place}.request`)
  const headers = fieldsOf(request.header, variables)
  const { body, type, isCut } = bodyOf(asNode(request.body), variables)
  const isTyped = header(headers, 'content-type') !== null || body === null || type === null
  const { code } = response
  return {
    place,
    method: String(request.method ?? 'GET').toUpperCase(),
    ...addressOf(urlOf(request.url, variables), `${place}.request.url`),
    headers: isTyped ? headers : [...headers, ['Content-Type', type]],
    body,
    isBodyCut: isCut,
    response:
      typeof code === 'number'
        ? {
            status: code,
            // A saved body is decoded.
            headers: fieldsOf(response.header, variables).filter(
              ([name]) => !/^content-encoding$/i.test(name),
            ),
            body: Buffer.from(String(response.body ?? '')),
          }
        : null,
    failure: null,
    unjudged: typeof code === 'number' ? null : 'no response is saved',
    ms: typeof response.responseTime === 'number' ? response.responseTime : 0,
    hasCredentials: false,
  }
}

const fieldsOf = (list: unknown, variables: Variables): Headers =>
  enabled(list).map(({ key, value }) => [String(key), resolved(value, variables)])

/** The base of a URL that an environment names. */
const unknownBase = 'http://unknown.invalid'

const urlOf = (url: unknown, variables: Variables): string => {
  const node = asNode(url)
  const [path = '', ...rest] = String(typeof url === 'string' ? url : (node.raw ?? '')).split('?')
  const query = Array.isArray(node.query)
    ? enabled(node.query).map(({ key, value }) => (value == null ? `${key}` : `${key}=${value}`))
    : rest.length === 0
      ? []
      : [rest.join('?')]
  const values = variablesOf({ variable: node.variable }, new Map())
  const filled = path.replace(/(?<=\/):([^/]+)/g, (_, name: string) => {
    const value = values.get(name)
    return encodeURIComponent(value === undefined ? placeholder('right') : resolved(value, variables))
  })
  const text = [filled, ...(query.length === 0 ? [] : [query.join('&')])]
    .map(part => resolved(part, variables))
    .join('?')
    .replace(/^(?:https?:\/\/)?[^/?]*\{\{token\}\}[^/?]*\/?/i, `${unknownBase}/`)
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  // A request that is not written to its end is for nobody.
  return URL.canParse(absolute) ? absolute : 'about:blank'
}

type Body = { readonly body: Uint8Array | null; readonly type: string | null; readonly isCut: boolean }

const bodyOf = (body: DocumentNode, variables: Variables): Body => {
  const whole = (text: string, type: string | null): Body => ({ body: Buffer.from(text), type, isCut: false })
  switch (body.disabled === true ? undefined : body.mode) {
    case 'raw': {
      const { language } = asNode(asNode(body.options).raw)
      const text = resolved(body.raw, variables)
      const isJson = language === 'json' || (language === undefined && /^\s*[{[]/.test(text))
      if (text === '') return nothing
      // A number that only an environment knows leaves no JSON.
      return { ...whole(text, isJson ? 'application/json' : null), isCut: isJson && isUnknown(text) }
    }
    case 'urlencoded': {
      const pairs = enabled(body.urlencoded).map(({ key, value }): [string, string] => [
        String(key),
        resolved(value, variables),
      ])
      return whole(new URLSearchParams(pairs).toString(), 'application/x-www-form-urlencoded')
    }
    case 'graphql': {
      const { query, variables: given } = asNode(body.graphql)
      const text = JSON.stringify({ query, ...(given ? { variables: given } : {}) })
      return whole(resolved(text, variables), 'application/json')
    }
    case undefined:
      return nothing
    // Files, and forms with them, are not in the collection.
    default:
      return { body: new Uint8Array(), type: null, isCut: true }
  }
}

const nothing: Body = { body: null, type: null, isCut: false }

const isUnknown = (text: string): boolean => {
  if (!text.includes(placeholder('right'))) return false
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}
