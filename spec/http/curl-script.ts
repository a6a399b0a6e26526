import { isArray, isObject, type Json, readJson, writeJson } from '../json/json.ts'
import { curlCommand } from './curl.ts'
import { type HttpRequest, header, type Outcome } from './exchange.ts'

/** A request before the last one; `name`: how later paths name what it created. */
export type ScriptStep = { readonly request: HttpRequest; readonly outcome: Outcome; readonly name?: Json }

/**
 * Shell commands that send a chain of requests again. What a response named goes on to the next requests in a variable: `jq` reads it
 * from the body, `sed` from Location. A key that a server has seen stands for that request, so it is a new one each time.
 */
export const curlScript = (steps: readonly ScriptStep[], request: HttpRequest, base: string): string => {
  const lines: string[] = []
  const names: { readonly text: string; readonly variable: string }[] = []
  const keys = [...new Set([...steps.map(step => step.request), request].flatMap(keysIn))]
  lines.push(...keys.map((_, index) => `KEY${index + 1}=$(uuidgen)`))
  const command = (sent: HttpRequest): string =>
    [...keys.map((_, index) => `KEY${index + 1}`), ...names.map(({ variable }) => variable)].reduce(
      (line, variable) => withVariable(line, markOf(variable), variable),
      curlCommand(marked(sent), base),
    )
  const marked = (sent: HttpRequest): HttpRequest => ({
    ...sent,
    target: names.reduce(
      (target, { text, variable }) => withMark(target, text, markOf(variable)),
      sent.target,
    ),
    headers: sent.headers.map(([name, value]) => {
      const index = isKey(name) ? keys.indexOf(value) : -1
      return [name, index < 0 ? value : markOf(`KEY${index + 1}`)] as const
    }),
  })
  for (const step of steps) {
    const reader = readerOf(step)
    if (reader === null) {
      lines.push(command(step.request))
      continue
    }
    const variable = `ID${names.length + 1}`
    lines.push(`${variable}=$(${command(step.request)} | ${reader})`)
    names.push({ text: textOf(step.name as Json), variable })
  }
  return [...lines, command(request)].join('\n')
}

const textOf = (name: Json): string => encodeURIComponent(typeof name === 'string' ? name : writeJson(name))

const markOf = (variable: string): string => `plantstore${variable}x`

const isKey = (name: string): boolean => /^(?:x-)?idempotency-key$/i.test(name)

const keysIn = ({ headers }: HttpRequest): readonly string[] =>
  headers.flatMap(([name, value]) => (isKey(name) ? [value] : []))

/** The target with a mark in the place of a whole segment. */
const withMark = (target: string, text: string, mark: string): string => {
  const [path = '', ...query] = target.split('?')
  const marked = path
    .split('/')
    .map(segment => (segment === text ? mark : segment))
    .join('/')
  return [marked, ...query].join('?')
}

/** In single quotes a shell fills in nothing, so they end before the variable and begin again after it. */
const withVariable = (line: string, mark: string, variable: string): string =>
  line.includes(mark)
    ? line.replaceAll(mark, new RegExp(`"[^"']*${mark}`).test(line) ? `$${variable}` : `'"$${variable}"'`)
    : line

/** The command that finds the name in a response; null if it names nothing, or in a way that no command finds. */
const readerOf = ({ outcome, name }: ScriptStep): string | null => {
  if (name === undefined || outcome.kind === 'failure') return null
  const reading = readJson(outcome.response.body)
  const path = reading.ok ? pathOf(reading.value, textOf(name)) : null
  // The command shows the head of the response as well, which ends with an empty line.
  if (path !== null) return `sed '1,/^\\r*$/d' | jq -r '${path}'`
  const location = header(outcome.response.headers, 'location')
  return location?.split(/[?#]/)[0]?.endsWith(`/${textOf(name)}`) === true
    ? `sed -n 's|^[Ll]ocation: .*/||p' | tr -d '\\r'`
    : null
}

/** Where a text stands in a value, for jq. */
const pathOf = (value: Json, text: string, depth = 0): string | null => {
  if (depth > 2 || !isObject(value) || isArray(value)) return null
  // Another property may have the same value by chance.
  const members = Object.entries(value).toSorted(
    ([left], [right]) => Number(isId(right)) - Number(isId(left)),
  )
  for (const [key, member] of members) {
    const at = /^[a-z_]\w*$/i.test(key) ? `.${key}` : `["${key.replaceAll(/["\\']/g, '')}"]`
    if ((typeof member === 'string' || !isObject(member)) && !isArray(member) && textOf(member) === text)
      return at
    const inner = pathOf(member, text, depth + 1)
    if (inner !== null) return `${at}${inner}`
  }
  return null
}

const isId = (key: string): boolean => /(?:^|_)id$|Id$/.test(key)
