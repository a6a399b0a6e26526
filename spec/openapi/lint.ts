import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { createSchemaCheck } from '../schema/validator.ts'
import type { Problem } from './diagnostic.ts'
import { lintLimits } from './lint-limits.ts'
import { lintReferences } from './lint-references.ts'
import type { Sources } from './source-map.ts'

type Report = (message: string, at: Pointer) => void

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** What the meta-schema of OpenAPI does not find: invalid schemas, names, references and parameters. */
export const lint = (document: DocumentNode, sources: Sources): readonly Problem[] => {
  const problems: Problem[] = []
  const report: Report = (message, at) => problems.push({ message, place: sources.place(at) })
  checkDialect(document, report)
  checkSchemas(document, report)
  checkAnchors(document, report)
  lintReferences(document, report)
  lintLimits(document, report)
  checkOperations(document, report)
  return problems
}

const dialects =
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.1\/dialect\/)/

const checkDialect = (document: DocumentNode, report: Report): void => {
  const dialect = document.jsonSchemaDialect
  if (typeof dialect === 'string' && !dialects.test(dialect))
    report(
      `the schema dialect ${dialect} is not supported: use JSON Schema 2020-12 or leave it out`,
      '/jsonSchemaDialect',
    )
}

/** All Schema Objects of the document. */
const schemaPlaces = (document: DocumentNode): readonly Pointer[] => {
  const found: Pointer[] = Object.keys(asNode(asNode(document.components).schemas)).map(name =>
    step('/components/schemas', name),
  )
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const here = step(at, key)
      if (here === '/components/schemas' || key === 'example' || key === 'examples' || key.startsWith('x-'))
        continue
      if (key === 'schema') found.push(here)
      else visit(value, here)
    }
  }
  visit(document, '')
  return found
}

const checkSchemas = (document: DocumentNode, report: Report): void => {
  const problemsOf = createSchemaCheck()
  const reported = new Set<string>()
  for (const place of schemaPlaces(document)) {
    const problems = problemsOf(valueAt(document, place)).filter(
      ({ keyword }) => keyword !== 'anyOf' && keyword !== 'allOf',
    )
    for (const { at, message, constraint, keyword } of problems) {
      const pointer = `${place}${at}`
      if (reported.has(pointer)) continue
      reported.add(pointer)
      const subject = at.split('/').at(-1) || 'it'
      report(
        `the schema is invalid: ${subject} ${keyword === 'enum' ? `must be one of ${String(constraint).replaceAll(',', ', ')}` : message}`,
        pointer,
      )
    }
  }
}

// Compiling the schemas would find this too, but takes minutes if there are thousands of them.
const checkAnchors = (document: DocumentNode, report: Report): void => {
  const anchors = new Set<unknown>()
  const named: { readonly name: string; readonly at: Pointer }[] = []
  const visit = (node: unknown, at: Pointer): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      const here = step(at, key)
      if (key === '$anchor' || key === '$dynamicAnchor') anchors.add(value)
      else if ((key === '$ref' || key === '$dynamicRef') && /^#[^/]/.test(String(value)))
        named.push({ name: String(value).slice(1), at: here })
      else if (key !== 'example' && key !== 'examples') visit(value, here)
    }
  }
  visit(document, '')
  for (const { name, at } of named)
    if (!anchors.has(name)) report(`the reference #${name} cannot be resolved: no $anchor has this name`, at)
}

const checkOperations = (document: DocumentNode, report: Report): void => {
  const ids = new Map<string, Pointer>()
  const templates = new Map<string, string>()
  let count = 0
  for (const path of Object.keys(asNode(document.paths))) {
    const at = step('/paths', path)
    if (!path.startsWith('/')) report(`the path "${path}" does not begin with a slash`, at)
    const item = follow(document, at)
    for (const method of methods.filter(name => Object.hasOwn(item.node, name))) {
      count += 1
      const template = `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`
      const other = templates.get(template)
      if (other !== undefined) report(`the path "${path}" is the same as "${other}"`, at)
      templates.set(template, path)
      const operation = step(item.pointer, method)
      const id = asNode(item.node[method]).operationId
      if (typeof id === 'string' && ids.has(id))
        report(`the operationId "${id}" is used twice`, step(operation, 'operationId'))
      if (typeof id === 'string') ids.set(id, operation)
      checkPathParameters(
        document,
        path,
        [step(item.pointer, 'parameters'), step(operation, 'parameters')],
        operation,
        report,
      )
      checkSecurity(document, asNode(item.node[method]).security, step(operation, 'security'), report)
    }
  }
  checkSecurity(document, document.security, '/security', report)
  if (count === 0) report('the document declares no operation', '/paths')
}

const checkPathParameters = (
  document: DocumentNode,
  path: string,
  lists: readonly Pointer[],
  operation: Pointer,
  report: Report,
): void => {
  const declared = new Set<string>()
  for (const list of lists) {
    const ofList = new Set<string>()
    const items = valueAt(document, list)
    for (const index of Array.isArray(items) ? items.keys() : []) {
      const { node } = follow(document, step(list, index))
      const key = `${node.in} ${node.name}`
      if (ofList.has(key))
        report(`the ${node.in} parameter "${node.name}" is declared twice`, step(list, index))
      ofList.add(key)
      declared.add(key)
      if (node.in === 'path' && !path.includes(`{${node.name}}`))
        report(`the path parameter "${node.name}" is not in the path ${path}`, step(list, index))
      if (node.in === 'path' && node.required !== true)
        report(`the path parameter "${node.name}" must have required: true`, step(list, index))
    }
  }
  for (const [, name] of path.matchAll(/\{([^}]*)\}/g))
    if (!declared.has(`path ${name}`))
      report(`the path parameter "${name}" of ${path} is not declared`, operation)
}

const checkSecurity = (document: DocumentNode, security: unknown, at: Pointer, report: Report): void => {
  const schemes = asNode(asNode(document.components).securitySchemes)
  for (const [index, requirement] of Array.isArray(security) ? security.entries() : [])
    for (const name of Object.keys(asNode(requirement)))
      if (!Object.hasOwn(schemes, name))
        report(`the security scheme "${name}" is not declared in components.securitySchemes`, step(at, index))
}
