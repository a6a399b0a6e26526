import { asNode, follow } from '../../json/follow-refs.ts'
import { localReference, type Pointer, step, valueAt } from '../../json/pointer.ts'
import { isIdentityWord, singular } from '../../resources/names.ts'
import { isTable, type MutableNode, walkReferences } from '../walk-references.ts'
import { type Converted, createMoves } from './parameters.ts'
import { methods } from './swagger.ts'

/**
 * Documents that are made from gRPC services have one parameter for several segments of a path: `/v1/{name}` with the pattern `users/[^/]+`, as in
 * google.api.http. OpenAPI has no such parameters, so the segments are written out: `/v1/users/{name}`. Null: the document has none.
 */
export const withResourceNames = (document: MutableNode): Converted | null => {
  const { paths } = document
  if (!isTable(paths)) return null
  const moves = createMoves()
  const written: MutableNode = { ...paths }
  const taken = new Set(Object.entries(paths).flatMap(([path, item]) => templatesIn(path, item)))
  for (const [path, item] of Object.entries(paths)) {
    if (!path.includes('{') || !isTable(item)) continue
    const at = step('/paths', path)
    for (const method of methods.filter(name => isTable(item[name]))) {
      const operation = item[method] as MutableNode
      const lists = [step(step(at, method), 'parameters'), step(at, 'parameters')]
      const expanded = expand(document, path, lists)
      const template = expanded === null ? '' : templateOf(method, expanded.path)
      if (expanded === null || taken.has(template)) continue
      taken.add(template)
      const to = step(step('/paths', expanded.path), method)
      moves.add(to, step(at, method))
      expanded.parameters.forEach(({ from }, index) => {
        moves.add(step(step(to, 'parameters'), String(index)), from)
      })
      const parameters = expanded.parameters.map(({ node }) => node)
      const isElsewhere = operation.servers === undefined && item.servers !== undefined
      if (isElsewhere) moves.add(step(to, 'servers'), step(at, 'servers'))
      const own = isElsewhere ? { ...operation, servers: item.servers } : operation
      written[expanded.path] = { ...asNode(written[expanded.path]), [method]: { ...own, parameters } }
      const { [method]: _, ...left } = asNode(written[path])
      written[path] = left
    }
    const isEmpty = Object.keys(asNode(written[path])).every(name => ofItem.has(name))
    if (written[path] !== item && isEmpty) delete written[path]
  }
  if (Object.keys(written).every(path => written[path] === paths[path])) return null
  const named = { ...document, paths: written }
  walkReferences(named, '', ({ node }) => {
    const target = localReference(node.$ref)
    if (target?.startsWith('/paths/')) (node as MutableNode).$ref = `#${encodeURI(moves.after(target))}`
  })
  return { document: named, before: moves.before }
}

/** What a path item has besides operations. */
const ofItem = new Set(['parameters', 'summary', 'description', 'servers'])

const templateOf = (method: string, path: string): string => `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`

const templatesIn = (path: string, item: unknown): readonly string[] =>
  methods.filter(method => asNode(item)[method] !== undefined).map(method => templateOf(method, path))

type Placed = { readonly node: unknown; readonly from: Pointer }
type Expanded = { readonly path: string; readonly parameters: readonly Placed[] }

/** The path with each of its segments, and all parameters of its operation; null if none stands for several segments. */
const expand = (document: MutableNode, path: string, lists: readonly Pointer[]): Expanded | null => {
  let expanded = path
  const parameters: Placed[] = []
  for (const { node, from } of lists.flatMap(list => parametersAt(document, list))) {
    const { name, in: part } = asNode(node)
    const segments = part === 'path' ? segmentsOf(node) : null
    if (segments === null || typeof name !== 'string' || !expanded.includes(`{${name}}`)) {
      if (!parameters.some(each => isSame(each.node, node))) parameters.push({ node, from })
      continue
    }
    const isLast = /^(?::[\w-]+)?\/?$/.test(expanded.split(`{${name}}`)[1] ?? '')
    const text = segments.map((segment, index) => {
      if (segment !== any) return segment
      const isWhole = isLast && index === segments.length - 1
      const own = nameFor(name, segments[index - 1], isWhole, expanded.replace(`{${name}}`, ''))
      parameters.push({ node: parameterOf(own, node), from })
      return `{${own}}`
    })
    expanded = expanded.replace(`{${name}}`, () => text.join('/'))
  }
  return expanded === path ? null : { path: expanded, parameters }
}

const parametersAt = (document: MutableNode, list: Pointer): readonly Placed[] => {
  const all = valueAt(document, list)
  return Array.isArray(all)
    ? all.map((_, index) => {
        const found = follow(document, step(list, String(index)))
        return { node: found.node, from: found.pointer }
      })
    : []
}

const isSame = (left: unknown, right: unknown): boolean =>
  asNode(left).name === asNode(right).name && asNode(left).in === asNode(right).in

/** One segment, whatever it is. */
const any = '[^/]+'

/** The segments of a pattern that has several, each a text or `any`; null for any other pattern. */
const segmentsOf = (parameter: unknown): readonly string[] | null => {
  const { pattern } = asNode(asNode(parameter).schema)
  if (typeof pattern !== 'string') return null
  const text = pattern.replace(/^\^/, '').replace(/\$$/, '')
  const segments = text.replaceAll(any, '*').split('/')
  return segments.length > 1 && segments.every(segment => /^(?:\*|[\w~-]+)$/.test(segment))
    ? segments.map(segment => (segment === '*' ? any : segment))
    : null
}

/** `name` for the last segment of `{user.name}`, as a response has it, and `user` for one after `users` that others follow. */
const nameFor = (parameter: string, before: string | undefined, isWhole: boolean, path: string): string => {
  const word = parameter.replace(/_\d+$/, '').split('.').at(-1) ?? parameter
  const noun = before === undefined || before === any ? word : singular(before)
  const wanted = isWhole && isIdentityWord(word) ? word : noun
  const names = [wanted, ...Array.from({ length: 20 }, (_, index) => `${wanted}${index + 2}`)]
  return names.find(name => !path.includes(`{${name}}`)) ?? wanted
}

const parameterOf = (name: string, parameter: unknown): MutableNode => {
  const { description } = asNode(parameter)
  const schema = { type: 'string', pattern: '^[^/]+$' }
  return { name, in: 'path', required: true, ...(description === undefined ? {} : { description }), schema }
}
