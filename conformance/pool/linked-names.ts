import { type Json, nounOfPath, type Operation, pathValues, plainName } from '../../spec/index.ts'

/** A name in a link, as a property of what its path is below. */
type LinkedName = { readonly value: string; readonly name: string; readonly holder: string }

/** A longer text is no link. */
const longest = 500

const segmentsOf = (path: string): readonly string[] => path.split('/').filter(segment => segment !== '')

/**
 * Reads the names of resources from links: responses show what they made, or what belongs to them, as `/instances/96cf` or
 * `https://host/api/users/3/`, where the document has `/instances/{id}` and `/users/{user}`.
 */
export const createLinkedNames = (
  operations: readonly Operation[],
): ((value: Json) => readonly LinkedName[]) => {
  const templates = [...new Set(operations.map(({ path }) => path.replace(/\/$/, '')))]
    .map(path => ({ path, segments: segmentsOf(path) }))
    .filter(({ path, segments }) => path.includes('{') && segments[0]?.includes('{') === false)
    .toSorted((one, other) => other.segments.length - one.segments.length)
  return value => {
    const path = pathIn(value)
    const sent = path === null ? [] : segmentsOf(path)
    for (const { path: template, segments } of templates) {
      // What comes before may be the base path of the server.
      const end = sent.slice(-segments.length)
      if (end[0] !== segments[0]) continue
      const found = Object.entries(pathValues(template, `/${end.join('/')}`))
      if (found.every(([, text]) => text !== ''))
        return found.map(([name, text]) => ({
          value: decoded(text),
          name: plainName(name),
          holder: nounOfPath(template.split(`{${name}}`)[0] ?? template),
        }))
    }
    return []
  }
}

const pathIn = (value: Json): string | null => {
  if (typeof value !== 'string' || value.length > longest) return null
  const [, path] = /^(?:https?:\/\/[^/\s]+)?(\/[^\s?#]+)/.exec(value) ?? []
  return path ?? null
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
