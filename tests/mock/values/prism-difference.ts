import {
  bodyMedia,
  type Contract,
  createResponseJudge,
  type HttpResponse,
  header,
  isObject,
  type Json,
  mediaType,
  operationContext,
  placeOf,
  readJson,
  type SchemaPlace,
} from '../../../spec/index.ts'
import type { Pair } from './prism-response.ts'

/** The kinds of differences from prism-http, as docs/prism.md lists them. */
export const kinds = [
  'throws',
  'own-problem',
  'other-failure',
  'int64',
  'draft-07',
  'any-token',
  'scheme-case',
  'accept',
  'media',
  'body-bytes',
  'content-coding',
  'falsy-body',
  'form-fields',
  'ref-siblings',
  'breaks-schema',
  'breaks-problem',
  'breaks-header',
  'reason',
  'echo',
  'invents',
  'made-up',
] as const

export type Kind = (typeof kinds)[number]

/** How the response of prism-http differs from the mock's: listed kinds, or in words what no kind explains. */
export const differences = (
  contract: Contract,
  pair: Pair,
): readonly (Kind | { readonly unlisted: string })[] => {
  const { mock, prism } = pair
  const unlisted = (what: string) => [{ unlisted: what }]
  if ('thrown' in prism)
    return pair.operation.parameters.some(
      parameter => parameter.in === 'header' && parameter.style === 'simple',
    )
      ? ['throws']
      : unlisted(`Prism throws: ${prism.thrown}`)
  const status = 'problem' in prism ? prism.problem : prism.status
  const [ours, theirs] = [mock.status < 400, status < 400]
  if (ours && !theirs) {
    const why = rejectedByPrism(contract, pair)
    return why === null ? unlisted(`Prism rejects with ${status}`) : [why]
  }
  if (!ours && theirs) {
    const why = acceptedByPrism(pair)
    return why === null ? unlisted('Prism accepts what the mock rejects') : [why]
  }
  if ('problem' in prism) return ['own-problem']
  if (status !== mock.status) return !ours ? ['other-failure'] : unlisted(`Prism responds with ${status}`)
  return differencesOfBody(contract, pair, prism)
}

const differencesOfBody = (
  contract: Contract,
  pair: Pair,
  prism: HttpResponse,
): readonly (Kind | { readonly unlisted: string })[] => {
  const { mock, operation } = pair
  const [type, expected] = [prism, mock].map(({ headers }) => mediaType(header(headers, 'content-type')))
  const violations = createResponseJudge(contract, operation)(prism, undefined)
  const found = new Set<Kind>()
  if (violations.some(({ id }) => id.includes('/headers/'))) found.add('breaks-header')
  if (violations.some(({ id }) => /\/body/.test(id))) found.add('breaks-schema')
  if (violations.some(({ id }) => id.endsWith('/problem'))) found.add('breaks-problem')
  const rest = violations.filter(({ id }) => !/\/headers\/|\/body|\/problem$/.test(id))
  if (rest.length > 0) return [...found, { unlisted: `Prism breaks ${rest[0]?.id}` }]
  if (mock.body.length > 0 && type !== expected)
    return [...found, { unlisted: `Prism responds with ${type}, not ${expected}` }]
  const [left, right] = [jsonOrText(prism), jsonOrText(mock)]
  if (JSON.stringify(left) === JSON.stringify(right)) return [...found]
  if (mock.status >= 400) return [...found, 'reason']
  const body = pair.body === null ? undefined : jsonOf(pair.body)
  const sent: Readonly<Record<string, Json>> = isObject(body) ? body : {}
  if (isObject(left) && isObject(right)) {
    const sendable = operationContext(contract, operation).body?.root.properties ?? []
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (JSON.stringify(left[name]) === JSON.stringify(right[name])) continue
      if (right[name] === undefined && sendable.includes(name) && !Object.hasOwn(sent, name))
        found.add('invents')
      else if (JSON.stringify(right[name]) === JSON.stringify(sent[name]) || isParameter(pair, name))
        found.add('echo')
      else found.add('made-up')
    }
    return [...found]
  }
  return [...found, 'made-up']
}

const isParameter = ({ operation, body }: Pair, name: string): boolean =>
  operation.parameters.some(parameter => parameter.name === name) ||
  // The fields of a form have names as well.
  new URLSearchParams(Buffer.from(body ?? []).toString()).has(name)

/** Why prism-http rejects a valid request. */
const rejectedByPrism = (contract: Contract, { operation, headers, body, target }: Pair): Kind | null => {
  const text = Buffer.from(body ?? []).toString()
  const scheme = header(headers, 'authorization')?.split(' ')[0]
  if (scheme !== undefined && scheme !== 'Bearer' && scheme !== 'Basic') return 'scheme-case'
  if (!/json|\*\/\*/.test(header(headers, 'accept') ?? '*/*')) return 'accept'
  if (header(headers, 'content-encoding') !== null) return 'content-coding'
  if (text.startsWith('\uFEFF')) return 'body-bytes'
  const numbers = (target + text).match(/\d{16,}|\d+(?:\.\d*)?[eE]\+?\d+/g)
  if (numbers?.some(digits => Number(digits) > Number.MAX_SAFE_INTEGER)) return 'int64'
  // In OpenAPI 3.0 the siblings of a $ref are ignored.
  if (contract.openapi.startsWith('3.0') && /"price":(?!0|1[,}])/.test(text)) return 'ref-siblings'
  const isForm = bodyMedia(operation)?.format.kind === 'form'
  const root = operationContext(contract, operation).body?.root
  const isDeep = (name: string): boolean =>
    placeOf(root as SchemaPlace, `/${name}`)?.types?.some(type => type === 'array' || type === 'object') ===
    true
  if (isForm && [...new URLSearchParams(text).keys()].some(isDeep)) return 'form-fields'
  return null
}

/** Why prism-http accepts an invalid request. */
const acceptedByPrism = ({ obligation, operation, body }: Pair): Kind | null => {
  const text = Buffer.from(body ?? []).toString()
  if (obligation.includes('/auth/')) return 'any-token'
  if (obligation.includes('/content-type/')) return 'media'
  if (obligation.endsWith('/json/invalid-utf8')) return 'body-bytes'
  if (obligation.endsWith('/dependentSchemas')) return 'draft-07'
  if (obligation.endsWith('/additionalProperties') && bodyMedia(operation)?.format.kind === 'form')
    return 'form-fields'
  if (['null', 'false', '0', '""'].includes(text)) return 'falsy-body'
  return null
}

const jsonOf = (body: Uint8Array): Json | undefined => {
  const reading = readJson(body)
  return reading.ok ? reading.value : undefined
}

const jsonOrText = ({ body }: HttpResponse): Json | undefined => jsonOf(body) ?? Buffer.from(body).toString()
