import {
  duplicateNames,
  header,
  isObject,
  isRejection,
  type RequestPart,
  readJson,
  rejectionStatuses,
  responseFor,
  type Subject,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { reject } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { LRUCache } from '../lru-cache.ts'
import { identityNameOf } from '../rules/infer.ts'
import {
  isValid,
  type Mutant,
  type MutantInput,
  type MutationContext,
  misjudge,
  type Unbreakable,
} from './mutation.ts'

/** Behaves the other way where the contract leaves the behaviour open. */
export const flipUnspecified = async (
  context: MutationContext,
  { name }: Extract<Subject, { kind: 'unspecified' }>,
): Promise<Mutant | Unbreakable> => {
  switch (name) {
    case 'credentials':
      return flipCredentials(context)
    case 'undeclared-media':
      return flipRejection('media')
    case 'invalid-body':
      return flipRejection('body')
    case 'invalid-parameter':
      return flipRejection('parameter')
    case 'other-method':
      return flipStatus(405)
    case 'other-path':
      return flipStatus(404)
    default:
      return rejectIf(context, selectors[name](context))
  }
}

/** Rejects with another status, where none is declared. */
const flipRejection =
  (part: RequestPart): Mutant =>
  async (input, { usual }) => {
    const response = await usual()
    return input?.violations[0]?.part === part ? { ...response, status: 422 } : response
  }

type Selector = (
  context: Pick<MutationContext, 'contract' | 'operation'>,
) => (input: JudgedRequest) => boolean

const bodyText = ({ request }: JudgedRequest): string => Buffer.from(request.body ?? []).toString()

const mostIdentities = 100_000

/** The valid requests that each open question is about. */
export const selectors = {
  'duplicate-id': ({ contract, operation }) => {
    const sent = new LRUCache<string, true>({ max: mostIdentities })
    const key = identityNameOf({ contract, operation })
    return ({ body }) => {
      const identity = key === undefined || !isObject(body) ? '' : JSON.stringify(body[key])
      const isAgain = sent.has(identity)
      sent.set(identity, true)
      return isAgain
    }
  },
  'type-of-no-body':
    () =>
    ({ request: { headers, body } }) =>
      (body === null || body.length === 0) && header(headers, 'content-type') !== null,
  'undeclared-property': () => input =>
    // The judge does not read the undeclared fields of a form.
    /(?:^|&)undeclared=/.test(bodyText(input)) ||
    (isObject(input.body) &&
      Object.hasOwn(input.body, 'undeclared') &&
      !hasLoneSurrogate(input.body.undeclared)),
  'odd-properties': () => input => isObject(input.body) && Object.hasOwn(input.body, 'odd'),
  'duplicate-names':
    () =>
    ({ request }) => {
      const reading = readJson(request.body ?? new Uint8Array())
      return reading.ok && duplicateNames(reading.text).length > 0
    },
  'byte-order-mark':
    () =>
    ({ request }) => {
      const reading = readJson(request.body ?? new Uint8Array())
      return reading.ok && reading.bom
    },
  'lone-surrogate':
    () =>
    ({ body }) =>
      isObject(body) && Object.values(body).some(hasLoneSurrogate),
  'other-accept':
    () =>
    ({ request }) =>
      /^(?:text|image|application\/xml)[^,]*$/.test(header(request.headers, 'accept') ?? ''),
  'undeclared-parameter':
    () =>
    ({ request }) =>
      /[?&]undeclared=/.test(request.target),
  'other-charset':
    () =>
    ({ request }) =>
      /iso-8859-1/.test(header(request.headers, 'content-type') ?? ''),
  'content-coding':
    () =>
    ({ request }) =>
      header(request.headers, 'content-encoding') === 'gzip',
  'large-body':
    () =>
    ({ request }) =>
      (request.body?.length ?? 0) > 200_000,
} as const satisfies Readonly<Record<string, Selector>>

/** An open question about valid requests. */
export type Question = keyof typeof selectors

const hasLoneSurrogate = (value: unknown): boolean => typeof value === 'string' && !value.isWellFormed()

const rejectIf = (
  { operation }: MutationContext,
  isHit: (input: MutantInput) => boolean,
): Mutant | Unbreakable => {
  const part = operation.body === null ? 'parameter' : 'body'
  return rejectionStatuses(operation, part).length === 0
    ? { reason: 'no failure is declared, so that only one behaviour is possible' }
    : misjudge(input => isValid(input) && isHit(input), part)
}

/** Rejects wrong credentials with another status, or with another code if only one is declared. */
const flipCredentials = async ({ operation, engine }: MutationContext): Promise<Mutant | Unbreakable> => {
  const rejection = (code: number) =>
    reject(engine, operation, 'credentials', { code, messages: ['credentials are wrong'] })
  const [one, other] = await Promise.all([rejection(1), rejection(99)])
  const isOnly = rejectionStatuses(operation, 'credentials').length < 2
  if (isOnly && Buffer.from(one.body).equals(other.body))
    return { reason: 'only one failure is declared, and it has no code: all rejections look alike' }
  return async (input, { usual }) => {
    const response = await usual()
    if (input?.violations.some(({ part }) => part === 'credentials') !== true) return response
    const status = [401, 403, 400].find(
      each => each !== response.status && isRejection(operation, 'credentials', each, 'declared'),
    )
    const declared = status === undefined ? null : responseFor(operation, status)
    return status === undefined || declared === null
      ? rejection(99)
      : buildResponse(engine, operation, { declared, status })
  }
}

/** Responds to undeclared requests with another status than this one. */
const flipStatus =
  (usualStatus: number): Mutant =>
  async (input, { usual }) => {
    const response = await usual()
    return input === null && response.status === usualStatus ? { ...response, status: 501 } : response
  }
