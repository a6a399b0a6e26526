import { type Json, nounOfPath, type Operation, plainName } from '../../spec/index.ts'

/** A name in a link, as a property of what its path is below. */
type LinkedName = { readonly value: string; readonly name: string; readonly holder: string }

/** A longer text is no link. */
const longest = 500

const segmentsOf = (path: string): readonly string[] => path.split('/').filter(segment => segment !== '')

const isParameter = (segment: string): boolean => /^\{[^}]+\}$/.test(segment)

/**
 * Reads the names of resources from links: responses show what they made, or what belongs to them, as `/instances/96cf` or
 * `https://host/api/users/3/`, where the document has `/instances/{id}` and `/users/{user}`.
 */
export const createLinkedNames = (
  operations: readonly Operation[],
): ((value: Json) => readonly LinkedName[]) => {
  const templates = [...new Set(operations.map(({ path }) => path))]
    .map(path => ({ path, segments: segmentsOf(path) }))
    .filter(({ segments }) => segments.some(isParameter) && !isParameter(segments[0] ?? '{}'))
    .toSorted((one, other) => other.segments.length - one.segments.length)
  return value => {
    const path = pathIn(value)
    if (path === null) return []
    const sent = segmentsOf(path)
    for (const { path: template, segments } of templates) {
      // What comes before may be the base path of the server.
      const end = sent.slice(-segments.length)
      const isMatch = segments.every((segment, index) =>
        isParameter(segment) ? end[index] !== undefined : segment === end[index],
      )
      if (isMatch)
        return segments.flatMap((segment, index) =>
          isParameter(segment)
            ? [
                {
                  value: decoded(end[index] ?? ''),
                  name: plainName(segment.slice(1, -1)),
                  holder: nounOfPath(template.split(segment)[0] ?? template),
                },
              ]
            : [],
        )
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
