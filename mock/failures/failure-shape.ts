import {
  type Contract,
  type DeclaredResponse,
  follow,
  isJsonMedia,
  isOfBody,
  mediaType,
  type Operation,
  type ValueLocation,
} from '../../spec/index.ts'

/** A declared failure whose schema serves for a failure that is not declared. */
export type FailureShape = { readonly operation: Operation; readonly declared: DeclaredResponse }

/** The statuses whose failures tell most about what is wrong with a request, the best first; then any other failure. */
const likely = ['400', '422', '4XX', 'default', '404', '409', '403', '401']

/**
 * The shape of the failures of a contract: that of the operation itself, else the one that most other operations have;
 * null: the contract declares no failure with a body.
 */
export const failureShape = (contract: Contract, operation: Operation | null): FailureShape | null =>
  (operation === null ? null : shapeIn(operation)) ?? commonShape(contract)

const commonShape = (contract: Contract): FailureShape | null => {
  const known = shapes.get(contract)
  if (known !== undefined) return known
  const all = contract.operations.flatMap(operation => shapeIn(operation) ?? [])
  const bySchema = Map.groupBy(all, ({ declared }) => schemaOf(contract, declared))
  const [largest = []] = [...bySchema.values()].sort((left, right) => right.length - left.length)
  const shape = largest[0] ?? null
  shapes.set(contract, shape)
  return shape
}

// A client that is wrong gets many failures, and a contract may have a thousand operations.
const shapes = new WeakMap<Contract, FailureShape | null>()

const shapeIn = (operation: Operation): FailureShape | null => {
  const failures = operation.responses
    .filter(({ status, media }) => /^[45]|^default$/.test(status) && media.length > 0)
    .sort((left, right) => rank(left) - rank(right))
  const declared = failures.find(({ media }) => media.some(isDescribed)) ?? failures[0]
  return declared === undefined ? null : { operation, declared }
}

/** Where the schema of a failure stands, so that equal ones are one shape. */
const schemaOf = ({ document }: Contract, { media, pointer }: DeclaredResponse): string => {
  const schema = (media.find(isDescribed) ?? media[0])?.schema ?? null
  return schema === null ? pointer : follow(document, schema).pointer
}

const isDescribed = ({ type, schema }: DeclaredResponse['media'][number]): boolean =>
  schema !== null && isJsonMedia(mediaType(type) ?? '')

const rank = ({ status }: DeclaredResponse): number => {
  const index = likely.indexOf(status)
  return index < 0 ? likely.length : index
}

type Reason = {
  readonly code: number
  readonly messages: readonly string[]
  readonly at?: readonly (ValueLocation | null)[]
}

/** The body of a failure where the contract has no shape for one: a problem detail (RFC 9457). */
export const problemDetail = ({ code, messages, at = [] }: Reason, status: number): object => ({
  type: 'about:blank',
  title: statusTitle(status),
  status,
  detail: messages.join('; '),
  code,
  ...(at.some(place => place !== null)
    ? { errors: messages.map((detail, index) => ({ detail, ...locationOf(at[index] ?? null) })) }
    : {}),
})

const locationOf = (at: ValueLocation | null): object =>
  at === null ? {} : isOfBody(at) ? { in: 'body', pointer: at.place } : { in: at.in, name: at.name }

/** The phrases of RFC 9110, 15 for failures that documents declare; any other status has that of its class (x00). */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The phrase of a status, or else that of its class. */
export const statusTitle = (status: number): string =>
  titles[status] ?? (titles[status < 500 ? 400 : 500] as string)
