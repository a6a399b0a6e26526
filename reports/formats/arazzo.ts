/** The chains of a run that worked, as workflows of an Arazzo document (1.0.1): `verify --arazzo` runs them again. */
import {
  step as below,
  builtIn,
  isArray,
  isNumber,
  isObject,
  type Json,
  type Ledger,
  numberText,
  parseJson,
  pathValues,
  type RecordedOperation,
  type RecordedOutcome,
  type RecordedRequest,
  writeJson,
} from '../../spec/index.ts'

/** A request of a chain that was answered. */
type Sent = {
  readonly operation: RecordedOperation
  readonly request: RecordedRequest
  readonly response: Extract<RecordedOutcome, { readonly kind: 'response' }>
}

/** A step of a workflow, as Arazzo has it. */
type Step = {
  readonly stepId: string
  readonly outputs: Record<string, string>
  readonly [name: string]: unknown
}

/** What a step gave that later ones name: the value as text, and the pointer to it. */
type Given = { readonly text: string; readonly step: Step; readonly pointer: string }

export const arazzo = (ledger: Ledger): string => {
  const { contract } = ledger.start
  const document = {
    arazzo: '1.0.1',
    info: { title: `${contract.title}: what worked in a run`, version: contract.version },
    sourceDescriptions: [
      {
        name: source,
        url: contract.source === builtIn ? 'openapi.yaml' : contract.source,
        type: 'openapi',
      },
    ],
    workflows: fewest(chainsOf(ledger)).map(workflowOf),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const source = 'contract'

/** The chains in which everything was done, or what had been removed was not found. */
const chainsOf = ({ start, exchanges }: Ledger): readonly (readonly Sent[])[] =>
  exchanges.flatMap(({ steps = [], request, outcome, failed }) => {
    if (steps.length === 0 || failed.length > 0 || steps.some(({ role }) => ofOthers.has(role))) return []
    const chain = [...steps, { request, outcome }].flatMap(each => {
      const operation = operationOf(start.operations, each.request)
      return operation === null || each.outcome.kind === 'failure'
        ? []
        : [{ operation, request: each.request, response: each.outcome }]
    })
    const isWhole = chain.length === steps.length + 1 && chain.every(({ request: sent }) => isWritable(sent))
    return isWhole && chain.every(isDone) && chain.every(isNamed) ? [chain] : []
  })

const ofOthers: ReadonlySet<string> = new Set(['own', 'as-other', 'flow'])

const isDone = ({ response }: Sent, index: number, chain: readonly Sent[]): boolean =>
  response.status < 400 ||
  (index === chain.length - 1 &&
    [404, 410].includes(response.status) &&
    chain.some(({ operation }) => operation.method === 'DELETE'))

/** Whether what the path names is known from a step before it, or is given by this one: nothing else may exist the next time. */
const isNamed = ({ operation, request }: Sent, index: number, chain: readonly Sent[]): boolean => {
  const before = chain.slice(0, index)
  const known = new Set([
    ...before.flatMap(({ response }) => scalarsOf(jsonOf(response.body)).map(([, text]) => text)),
    ...before.flatMap(sent => Object.values(pathValues(sent.operation.path, pathOf(sent.request.target)))),
    ...before.flatMap(sent => scalarsOf(jsonOf(sent.request.body)).map(([, text]) => text)),
  ])
  const names = Object.values(pathValues(operation.path, pathOf(request.target)))
  return (
    operation.method === 'PUT' || names.every(name => known.has(name) || known.has(decodeURIComponent(name)))
  )
}

/** Whether the body is text: an Arazzo document has nothing else. */
const isWritable = ({ body }: RecordedRequest): boolean => body === null || body.encoding === 'utf8'

/** The operation of a request: literal segments win. */
const operationOf = (
  operations: readonly RecordedOperation[],
  { method, target }: RecordedRequest,
): RecordedOperation | null => {
  const segments = pathOf(target).split('/')
  const fits = ({ path }: RecordedOperation): boolean => {
    const template = path.split('/')
    return (
      template.length === segments.length &&
      template.every((part, index) => part.includes('{') || part === segments[index])
    )
  }
  const found = operations.filter(operation => operation.method === method && fits(operation))
  return found.sort((left, right) => left.path.split('{').length - right.path.split('{').length)[0] ?? null
}

const pathOf = (target: string): string => target.split('?')[0] ?? ''

/** A chain, and those of its operations that no chain before it has. */
type Chosen = { readonly chain: readonly Sent[]; readonly fresh: readonly string[] }

/** Chains that have all operations together: those first that have most of them in the fewest steps. */
const fewest = (chains: readonly (readonly Sent[])[]): readonly Chosen[] => {
  const known = new Set<string>()
  const operationsOf = (chain: readonly Sent[]): readonly string[] => [
    ...new Set(chain.map(({ operation }) => operation.id)),
  ]
  return [...chains]
    .sort(
      (left, right) => operationsOf(right).length - operationsOf(left).length || left.length - right.length,
    )
    .flatMap(chain => {
      const fresh = operationsOf(chain).filter(id => !known.has(id))
      for (const id of fresh) known.add(id)
      return fresh.length === 0 ? [] : [{ chain, fresh }]
    })
}

const workflowOf = ({ chain, fresh }: Chosen): object => {
  const given: Given[] = []
  const ids = new Set<string>()
  const steps = chain.map((sent, index): Step => {
    const { operation, request, response } = sent
    const step: Step = {
      stepId: unused(idOf(operation.id), ids),
      ...nameOf(operation),
      ...parametersOf(sent, given),
      ...bodyOf(request),
      successCriteria: [
        { condition: `$statusCode == ${response.status}` },
        ...(index === chain.length - 1 ? stored(chain) : []),
      ],
      outputs: {},
    }
    for (const [pointer, text] of scalarsOf(jsonOf(response.body))) given.push({ text, step, pointer })
    return step
  })
  return {
    workflowId: fresh.map(idOf).join('-').slice(0, 100),
    steps: steps.map(({ outputs, ...step }) =>
      Object.keys(outputs).length === 0 ? step : { ...step, outputs },
    ),
  }
}

const idOf = (text: string): string => text.replace(/[^\w-]+/g, '-').replace(/^-|-$/g, '')

const unused = (id: string, used: Set<string>): string => {
  let name = id
  for (let count = 2; used.has(name); count++) name = `${id}-${count}`
  used.add(name)
  return name
}

/** The operation by its path: a document need not give it an id. */
const nameOf = ({ method, path, summary }: RecordedOperation): object => ({
  ...(summary === '' ? {} : { description: summary }),
  operationPath: `{$sourceDescriptions.${source}.url}#${below(below('/paths', path), method.toLowerCase())}`,
})

/** The parameters of the path and the query, by what an earlier step gave if that is what they are. */
const parametersOf = ({ operation, request }: Sent, given: readonly Given[]): object => {
  const path = Object.entries(pathValues(operation.path, pathOf(request.target)))
  const query = [...new URLSearchParams(request.target.split('?')[1] ?? '')]
  const parameters = [
    ...path.map(([name, value]) => ({ name, in: 'path', value: outputOf(decodeURIComponent(value), given) })),
    ...query.map(([name, value]) => ({ name, in: 'query', value })),
  ]
  return parameters.length === 0 ? {} : { parameters }
}

/** The expression for what an earlier step gave, which becomes an output of that; the value itself if none did. */
const outputOf = (value: string, given: readonly Given[]): string => {
  const found = given.find(({ text }) => text === value)
  if (found === undefined) return value
  const { step, pointer } = found
  const name = idOf(pointer.slice(1)) || 'body'
  step.outputs[name] = `$response.body#${pointer}`
  return `$steps.${step.stepId}.outputs.${name}`
}

const bodyOf = ({ headers, body }: RecordedRequest): object => {
  if (body === null) return {}
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const payload = jsonOf(body) ?? body.data
  return { requestBody: { ...(type === undefined ? {} : { contentType: type }), payload } }
}

/** Of what the last write sent, what the last response shows as well. */
const stored = (chain: readonly Sent[]): readonly object[] => {
  const write = chain.findLast(({ request }) => request.body !== null)
  const last = chain.at(-1)
  const [sent, shown] = [jsonOf(write?.request.body ?? null), jsonOf(last?.response.body ?? null)]
  if (last?.operation.method !== 'GET' || !isObject(sent) || !isObject(shown)) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    const isSame = Object.hasOwn(shown, name) && writeJson(shown[name] as Json) === writeJson(value)
    const text = isSame ? literal(value) : null
    return text === null ? [] : [{ condition: `$response.body#${below('', name)} == ${text}` }]
  })
}

/** A value as a condition has it; null if it cannot. */
const literal = (value: Json): string | null => {
  if (isNumber(value)) return /^-?\d+(\.\d+)?$/.test(numberText(value)) ? numberText(value) : null
  if (typeof value === 'string') return /^[\w .,:-]*$/.test(value) ? `'${value}'` : null
  return typeof value === 'boolean' ? String(value) : null
}

const jsonOf = (body: RecordedRequest['body']): Json | undefined => {
  if (body?.encoding !== 'utf8') return undefined
  try {
    return parseJson(body.data)
  } catch {
    return undefined
  }
}

/** The texts and numbers of a value, with their places; what is further inside comes first. */
const scalarsOf = (value: Json | undefined, pointer = ''): readonly (readonly [string, string])[] => {
  if (value === undefined) return []
  if (isArray(value)) return value.flatMap((item, index) => scalarsOf(item, below(pointer, index)))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, item]) => scalarsOf(item, below(pointer, name)))
  if (isNumber(value)) return [[pointer, numberText(value)]]
  return typeof value === 'string' && value !== '' ? [[pointer, value]] : []
}
