import { basePathOf, type Contract, nearest, type Router, serversOf } from '../../spec/index.ts'

/** Why a path is not declared, with what may be meant instead. */
export const undeclaredPath = (contract: Contract, router: Router, path: string): string => {
  const hint = baseHint(contract, router, path) ?? slashHint(router, path) ?? nearHint(contract, path)
  return `this path is not declared${hint === null ? '' : `: ${hint}`}`
}

/** The same for a path that no document has a prefix of. */
export const belowNoPrefix = (
  documents: readonly { readonly prefix: string; readonly router: Router }[],
  path: string,
): string => {
  const meant = documents.find(({ router }) => isDeclared(router, path))
  const hint =
    meant === undefined
      ? `the documents are served below ${documents.map(({ prefix }) => prefix).join(', ')}`
      : `did you mean ${meant.prefix}${path}?`
  return `this path is not declared: ${hint}`
}

const isDeclared = (router: Router, path: string): boolean => router('GET', path).kind !== 'no-path'

/** The path of a server of the document stands before it. */
const baseHint = (contract: Contract, router: Router, path: string): string | null => {
  for (const base of basePathsOf(contract)) {
    if (base === '' || !path.startsWith(`${base}/`)) continue
    const rest = path.slice(base.length)
    if (isDeclared(router, rest))
      return `the mock serves ${rest}, without the base path ${base} of servers; --base-path ${base} serves it there as well`
  }
  return null
}

const slashHint = (router: Router, path: string): string | null => {
  const other = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  return isDeclared(router, other) ? `did you mean ${other}?` : null
}

/** Templates beyond this many are not compared: a client that asks for what is not there would be expensive. */
const mostCompared = 300

const nearHint = ({ operations }: Contract, path: string): string | null => {
  if (path === '/') return null
  const length = path.split('/').length
  const alike = [...new Set(operations.map(operation => operation.path))].filter(
    template => template.split('/').length === length,
  )
  const filled = new Map(alike.slice(0, mostCompared).map(template => [fill(template, path), template]))
  const found = nearest(path.slice(0, longest), [...filled.keys()]).flatMap(text => filled.get(text) ?? [])
  return found.length === 0 ? null : `did you mean ${found.join(' or ')}?`
}

const longest = 200

/** A template with the values that the path has at the places of its parameters. */
const fill = (template: string, path: string): string => {
  const segments = path.split('/')
  return template
    .split('/')
    .map((segment, index) => (/^\{[^}]*\}$/.test(segment) ? (segments[index] ?? '') : segment))
    .join('/')
}

/** The path of each server of a document, with the defaults of its variables; empty: it has none. */
export const basePathsOf = ({ document }: Contract): readonly string[] =>
  (serversOf(document) ?? []).map(basePathOf)
