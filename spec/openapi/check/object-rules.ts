import { streamKindOf } from '../../http/stream-kind.ts'
import { type Pointer, step, steps } from '../../json/pointer.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import { nameOf, type Warn } from './findings.ts'
import { checkFlows, checkScheme } from './security-rules.ts'

type Rule = (
  node: MutableNode,
  at: Pointer,
  report: { readonly minor: number; readonly warn: Warn; readonly fault: Warn },
) => void

const unsupported = { unsupported: true } as const

/** Formats of lists that a document of Swagger 2.0 may have, and OpenAPI has not. */
const ofSwagger = new Set(['multi', 'pipes', 'ssv', 'tsv'])

/** What the fields of a kind of object must be together; undefined if there is nothing. */
export const rulesOf = (kind: string): Rule | undefined => rules.get(kind)

const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

const formType = 'application/x-www-form-urlencoded'

/**
 * OpenAPI 3.2 describes the whole query string as a form; that is the query parameter of an object whose properties are written one by one. Gives
 * whether it is one now.
 */
const asQuery = (node: MutableNode): boolean => {
  const form = isTable(node.content) ? node.content[formType] : undefined
  if (!isTable(form)) return false
  Object.assign(node, { in: 'query', style: 'form', explode: true, schema: form.schema ?? {} })
  delete node.content
  return true
}

const parameter: Rule = (node, at, { minor, warn, fault }) => {
  if (node.in === 'querystring' && minor >= 2 && !asQuery(node))
    return fault(
      `a parameter of the whole query string (in: querystring) is supported as ${formType} only`,
      step(at, 'in'),
      unsupported,
    )
  const part = String(node.in)
  if (!Object.hasOwn(styles, part)) return fault('in must be path, query, header or cookie', step(at, 'in'))
  const isOfCookie = minor >= 2 && part === 'cookie' && node.style === 'cookie'
  if (!isOfCookie && node.style !== undefined && !styles[part]?.includes(String(node.style)))
    fault(
      `the style ${node.style} is not possible in ${part}: use ${styles[part]?.join(', ')}`,
      step(at, 'style'),
      ofSwagger.has(String(node.style)) ? unsupported : {},
    )
  if (part === 'path' && node.required !== true) {
    warn(`the path parameter "${node.name}" must have required: true`, at)
    node.required = true
  }
  described('parameter', node, at, warn)
  exampleOrExamples(node, at, warn)
}

/** `schema` or `content`, and not both. */
const described = (kind: string, node: MutableNode, at: Pointer, warn: Warn): void => {
  const { schema, content } = node
  if (schema === undefined && content === undefined)
    warn(`the ${kind} must have required property 'schema' or 'content': any text is taken for its value`, at)
  else if (schema !== undefined && content !== undefined)
    warn(`the ${kind} has both schema and content: content counts`, step(at, 'schema'))
  if (isTable(content) && Object.keys(content).length !== 1)
    warn(`the content of the ${kind} must have one media type: the first one counts`, step(at, 'content'))
}

const exampleOrExamples = (node: MutableNode, at: Pointer, warn: Warn): void => {
  if (node.example !== undefined && node.examples !== undefined)
    warn('example and examples exclude each other', step(at, 'example'))
}

const oneOf =
  (first: string, second: string): Rule =>
  (node, at, { warn }) => {
    if (node[first] !== undefined && node[second] !== undefined)
      warn(`${first} and ${second} exclude each other`, step(at, first))
  }

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['parameter', parameter],
  [
    'header',
    (node, at, { warn }) => {
      described('header', node, at, warn)
      exampleOrExamples(node, at, warn)
      if (node.style !== undefined && node.style !== 'simple') {
        warn(`the style ${node.style} is not possible in a header: it is read as simple`, step(at, 'style'))
        delete node.style
      }
    },
  ],
  [
    'encoding',
    (node, at, { fault }) => {
      if (node.style !== undefined && !styles.query?.includes(String(node.style)))
        fault(
          `the style ${node.style} is not possible in a form: use ${styles.query?.join(', ')}`,
          step(at, 'style'),
        )
    },
  ],
  [
    'media',
    (node, at, { minor, warn }) => {
      exampleOrExamples(node, at, warn)
      const isJudged = at.includes('/responses/') && streamKindOf(steps(at).at(-1) ?? '') !== null
      if (minor >= 2 && node.itemSchema !== undefined && !isJudged)
        warn('the items of this stream (itemSchema) are not tested', step(at, 'itemSchema'), unsupported)
    },
  ],
  ['securityScheme', checkScheme],
  ['flows', checkFlows],
  [
    'operation',
    (node, at, { minor, warn }) => {
      if (minor === 0 && node.responses === undefined)
        warn(`${nameOf(at)} must have required property 'responses'`, at)
    },
  ],
  [
    'serverVariable',
    (node, at, { minor, warn }) => {
      if (minor > 0 && Array.isArray(node.enum) && node.enum.length === 0)
        warn('enum must not be empty', step(at, 'enum'))
    },
  ],
  ['example', oneOf('value', 'externalValue')],
  ['license', oneOf('identifier', 'url')],
  [
    'link',
    (node, at, report) => {
      oneOf('operationRef', 'operationId')(node, at, report)
      if (node.operationRef === undefined && node.operationId === undefined && report.minor > 0)
        report.warn('a link must have operationRef or operationId', at)
    },
  ],
])
