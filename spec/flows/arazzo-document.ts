import type { Contract } from '../contract/contract.ts'
import { DocumentError } from '../errors.ts'
import type { Json } from '../json/json.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import type { Place } from '../openapi/diagnostic.ts'
import { parseYaml, syntaxProblem, yamlValue } from '../openapi/parse-text.ts'
import { isTable } from '../openapi/walk-references.ts'
import { nearest } from '../text/nearest.ts'
import { parseCondition } from './condition.ts'
import type { Criterion, Flow, FlowStep } from './flow.ts'

export type Table = Readonly<Record<string, unknown>>

/** A value of the document, and where it is. */
export type At<T> = { readonly value: T; readonly at: Pointer }

/** Reads the parts of an Arazzo document. Each function throws DocumentError, with the line, if a part is not what it has to be. */
export type ArazzoDocument = {
  readonly root: Table
  readonly placeOf: (at: Pointer) => Place
  readonly fail: (message: string, at: Pointer) => never
  readonly tableAt: (value: unknown, at: Pointer, what: string) => Table
  readonly listIn: (of: At<Table>, name: string) => readonly At<unknown>[]
  readonly textIn: (of: At<Table>, name: string) => string
  readonly entriesIn: (of: At<Table>, name: string) => Readonly<Record<string, Json>>
  /** What stands at a place, or in the components if it is a reference to them. */
  readonly resolvedAt: (entry: At<unknown>, what: string) => At<Table>
}

export const openArazzo = (text: string, file: string): ArazzoDocument => {
  const { root, placeOf } = parsed(text, file)
  const fail: ArazzoDocument['fail'] = (message, at) => {
    throw new DocumentError([{ message, place: placeOf(at) }])
  }
  const { arazzo: version } = root
  if (typeof version !== 'string') return fail('this is not an Arazzo document: it has no field `arazzo`', '')
  if (!/^1\.[01]\.\d+$/.test(version)) fail(`Arazzo ${version} is not read: use 1.0.1 or 1.1.0`, '/arazzo')

  const tableAt = (value: unknown, at: Pointer, what: string): Table =>
    isTable(value) ? value : fail(`${what} has to be an object`, at)
  const listIn = (of: At<Table>, name: string): readonly At<unknown>[] => {
    const value = of.value[name]
    if (value === undefined) return []
    if (!Array.isArray(value)) return fail(`\`${name}\` has to be a list`, step(of.at, name))
    return value.map((item, index) => ({ value: item, at: step(step(of.at, name), index) }))
  }
  const textIn = (of: At<Table>, name: string): string => {
    const value = of.value[name]
    return typeof value === 'string' && value !== ''
      ? value
      : fail(`\`${name}\` is missing, or is no text`, of.at)
  }
  const entriesIn = (of: At<Table>, name: string): Readonly<Record<string, Json>> =>
    of.value[name] === undefined
      ? {}
      : (tableAt(of.value[name], step(of.at, name), `\`${name}\``) as Record<string, Json>)

  const resolvedAt = ({ value, at }: At<unknown>, what: string): At<Table> => {
    const table = tableAt(value, at, what)
    const { reference, $ref } = table
    if (reference === undefined && $ref === undefined) return { value: table, at }
    const pointer =
      typeof reference === 'string'
        ? reference.replace(/^\$components\.([^.]+)\./, '/components/$1/')
        : String($ref).replace(/^#/, '')
    const found = pointer.startsWith('/components/') ? valueAt(root, pointer) : undefined
    if (!isTable(found)) return fail(`${reference ?? $ref} leads to nothing in this document`, at)
    const { reference: _, $ref: __, ...own } = table
    return { value: { ...found, ...own }, at: pointer }
  }

  return { root, placeOf, fail, tableAt, listIn, textIn, entriesIn, resolvedAt }
}

const parsed = (text: string, file: string): { root: Table; placeOf: (at: Pointer) => Place } => {
  const yaml = parseYaml(text)
  const { document, lines } = yaml
  const problem = syntaxProblem(yaml)
  const lineOf = (at: Pointer): number => {
    const node = document.getIn(steps(at), true) as { readonly range?: readonly number[] } | undefined
    return node?.range === undefined ? 1 : lines.linePos(node.range[0] ?? 0).line
  }
  const placeOf = (at: Pointer): Place => ({ file, line: lineOf(at), pointer: at })
  if (problem !== null)
    throw new DocumentError([{ message: problem.message, place: { file, line: problem.line, pointer: '' } }])
  const root = yamlValue(yaml)
  if (!isTable(root))
    throw new DocumentError([{ message: 'this is not an Arazzo document', place: placeOf('') }])
  return { root, placeOf }
}

/** The inputs that a schema names, each with the value that the document has for it. */
export const inputsOf = ({ properties, required }: Table): Pick<Flow, 'inputs' | 'required'> => ({
  inputs: Object.fromEntries(
    Object.entries(isTable(properties) ? properties : {}).map(([name, schema]) => [
      name,
      isTable(schema) ? declaredValue(schema) : undefined,
    ]),
  ),
  required: Array.isArray(required) ? required.map(String) : [],
})

const declaredValue = ({
  default: usual,
  const: only,
  example,
  examples,
  enum: members,
}: Table): Json | undefined =>
  [
    usual,
    only,
    example,
    ...(Array.isArray(examples) ? examples : []),
    ...(Array.isArray(members) ? members : []),
  ].find(value => value !== undefined) as Json | undefined

export const readCriterion = ({ tableAt, fail }: ArazzoDocument, { value, at }: At<unknown>): Criterion => {
  const { condition, context, type } = tableAt(value, at, 'a criterion')
  if (typeof condition !== 'string') return fail('the criterion has no `condition`', at)
  const name = isTable(type) ? type.type : (type ?? 'simple')
  const criterion = { context: typeof context === 'string' ? context : null, condition }
  if (name === 'simple') {
    try {
      parseCondition(condition)
    } catch (error) {
      return fail(
        `the condition ${JSON.stringify(condition)} cannot be read: ${(error as Error).message}`,
        at,
      )
    }
    return { kind: 'simple', ...criterion }
  }
  if (name !== 'regex' && name !== 'jsonpath' && name !== 'xpath')
    return fail(
      `criteria of type ${String(name)} are not supported: use simple, regex, jsonpath or xpath`,
      at,
    )
  if (criterion.context === null) return fail(`a criterion of type ${name} needs a \`context\``, at)
  if (name === 'regex')
    try {
      new RegExp(condition, 'u')
    } catch (error) {
      return fail(`${condition} is no regular expression: ${(error as Error).message}`, at)
    }
  return { kind: name, ...criterion }
}

/** What a step asks, which runs no workflow: an operation of the contract, or a message of AsyncAPI. Throws DocumentError. */
export const targetOf = (
  { fail }: ArazzoDocument,
  contract: Contract,
  sources: readonly Table[],
  of: At<Table>,
): FlowStep['target'] => {
  /** `museum.getHours` is written as well as `$sourceDescriptions.museum.getHours`. */
  const withoutSource = (written: string): string => {
    const found = sources
      .map(({ name }) => `${String(name)}.`)
      .find(each => withoutRoot(written).startsWith(each))
    return withoutRoot(written).slice(found?.length ?? 0)
  }

  /** A step of AsyncAPI (Arazzo 1.1.0 4.6.5): on a channel, or an operation of such a source. */
  const isOfMessage = ({ channelPath, operationId }: Table): boolean =>
    channelPath !== undefined ||
    sources.some(
      ({ name, type }) =>
        type === 'asyncapi' && withoutRoot(String(operationId ?? '')).startsWith(`${String(name)}.`),
    )

  const operationOf = (): string => {
    const { operationId, operationPath } = of.value
    if (typeof operationId === 'string') {
      const ids = contract.operations.map(operation => operation.id)
      const id = ids.includes(operationId) ? operationId : withoutSource(operationId)
      if (ids.includes(id)) return id
      return fail(`the contract has no operation ${id}${similar(id, ids)}`, step(of.at, 'operationId'))
    }
    if (typeof operationPath !== 'string')
      return fail('the step names no `operationId`, `operationPath` or `workflowId`', of.at)
    const [paths, path, method] = steps(operationPath.slice(operationPath.indexOf('#') + 1))
    const found = contract.operations.find(
      operation => operation.path === path && operation.method.toLowerCase() === method?.toLowerCase(),
    )
    return paths === 'paths' && found !== undefined
      ? found.id
      : fail(`the contract has no operation at ${operationPath}`, step(of.at, 'operationPath'))
  }

  return isOfMessage(of.value) ? { kind: 'message' } : { kind: 'operation', operation: operationOf() }
}

const withoutRoot = (written: string): string => written.replace('$sourceDescriptions.', '')

export const similar = (name: string, names: readonly string[]): string => {
  const [closest] = nearest(name, names)
  return closest === undefined ? '' : `: did you mean ${closest}?`
}
