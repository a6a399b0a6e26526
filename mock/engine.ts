import {
  type Breach,
  type Cause,
  type Contract,
  codes,
  createRequestJudge,
  createRouter,
  type Headers,
  isObject,
  type Json,
  type Judgement,
  type Operation,
  type RequestJudge,
  type ResponseClause,
  type Route,
  type Router,
  refusals,
  type SchemaPlace,
  type Tokens,
  type Unauthenticated,
} from '../spec/index.ts'
import { isBy401, withChallenge } from './challenge.ts'
import { anyWish, type Compose, type Composed, createComposer, statusOf } from './compose.ts'
import type { Examples } from './examples.ts'
import { failureBody, oversize, type Reason, type Refuse } from './failure.ts'
import { preferencesOf } from './prefer.ts'
import { createPreferred, exampleNames } from './preferred.ts'
import { createSampler } from './prism.ts'
import { type MockRequest, pathOf } from './request.ts'
import { createSampleStore } from './sample-store.ts'
import { after, type Soon } from './soon.ts'
import { refusedWish, wishOf } from './wish.ts'

export type { MockRequest }

export type EngineOptions = {
  readonly contract: Contract
  readonly tokens: Tokens
  /** How missing or wrong credentials are answered. */
  readonly unauthenticated: Unauthenticated
  readonly examples: Examples
  readonly warn: (message: string) => void
}

/** Answers any request with a response that conforms to the contract. */
export type Engine = (request: MockRequest) => Soon<Composed>

/** A request of a declared operation, and what the contract has to say of it. */
export type Read = Judgement & { readonly operation: Operation; readonly request: MockRequest }

/** The engine, and the steps it takes, for what answers otherwise (`break/`). */
export type Desk = {
  readonly engine: Engine
  /** The engine with another answer to missing or wrong credentials. */
  readonly under: (policy: Unauthenticated) => Engine
  /** The operation that a request asks for, by its method and path alone. */
  readonly operationOf: (request: MockRequest) => Operation | null
  /** Null: it is no request of a declared operation. */
  readonly read: (request: MockRequest) => Read | null
  readonly accept: (read: Read) => Soon<Composed>
  readonly refuse: Refuse
  /** The answer to a path that is not declared. */
  readonly nowhere: () => Soon<Composed>
  /** An answer of this clause, whatever was asked; `known`: what is to stand in its body, where the schema takes it. */
  readonly compose: (
    operation: Operation,
    clause: ResponseClause,
    status: number,
    known?: (root: SchemaPlace) => Json | undefined,
  ) => Soon<Composed>
}

type Compiled = {
  readonly operation: Operation
  readonly judge: RequestJudge
  readonly compose: Compose
  readonly success: ResponseClause | null
}

export const createDesk = ({ contract, tokens, unauthenticated, examples, warn }: EngineOptions): Desk => {
  const router = createRouter(contract)
  const sampler = createSampler(contract, examples)
  const means = { contract, sampler, samples: createSampleStore(mostSampleCharacters), examples, warn }
  const compiled = new Map<Operation, Compiled>()
  const compile = (operation: Operation): Compiled => {
    const known = compiled.get(operation)
    if (known !== undefined) return known
    const made = {
      operation,
      judge: createRequestJudge(contract, operation),
      compose: createComposer(means, operation),
      success: successClause(operation),
    }
    compiled.set(operation, made)
    return made
  }
  const judged = (request: MockRequest, route: Extract<Route, { kind: 'operation' }>): Read => {
    const { operation, judge } = compile(route.operation)
    const { target, headers, body, tooLarge } = request
    const received = { target, headers, body: tooLarge ? null : body, path: route.path }
    const judgement = judge(received, tokens)
    if (!tooLarge) return { operation, request, ...judgement }
    // What was not read to its end is not judged.
    const others = judgement.breaches.filter(({ cause }) => cause !== 'body')
    return { operation, request, ...judgement, breaches: [...others, oversize(operation)] }
  }
  const accept = (read: Read): Soon<Composed> => {
    const { operation, request } = read
    const { success, compose } = compile(operation)
    if (success === null) return { status: 200, headers: [], body: new Uint8Array() }
    return compose(success, 200, sentOf(read), wishOf(request, null))
  }
  const refuse: Refuse = (operation, cause, reason, request) => {
    const status = refusals(operation, cause)[0]
    const clause = operation.responses.find(response => response.status === status)
    if (clause === undefined) return bareFailure(plain[cause], reason)
    const { compose } = compile(operation)
    const own = statusOf(clause, plain[cause])
    if (request === undefined) return compose(clause, plain[cause], failureBody(reason, own, null), anyWish)
    const wish = refusedWish(request, own, () => exampleNames(clause, examples))
    return compose(clause, plain[cause], failureBody(reason, own, request.target), wish)
  }
  const prefer = createPreferred({ title: contract.title, examples, refuse })
  const nowhere = (): Soon<Composed> => {
    const reason = { code: codes.pathUndeclared, messages: ['this path is not declared'] }
    return refuseElsewhere(contract, compile, 404, reason, [])
  }
  const answerTo = (request: MockRequest, policy: Unauthenticated): Soon<Composed> => {
    const { method, target, tooLarge, unreadable } = request
    if (unreadable !== undefined) {
      const reason = { code: unreadable.code ?? codes.notHttp, messages: [unreadable.message] }
      return refuseElsewhere(contract, compile, unreadable.status, reason, [])
    }
    const route = routeOf(router, method, target)
    if (route.kind === 'no-path') return nowhere()
    if (route.kind === 'no-method') {
      const allow = route.allow.join(', ')
      const reason = {
        code: codes.methodUndeclared,
        messages: [`${method} is not declared here: ${allow} is`],
      }
      return refuseElsewhere(contract, compile, 405, reason, [['Allow', allow]])
    }
    const read = judged(request, route)
    return after(answered(read, tooLarge, policy), answer => ({ ...answer, judged: read }))
  }
  const answered = (read: Read, tooLarge: boolean, policy: Unauthenticated): Soon<Composed> => {
    const { operation, request, breaches } = read
    if (tooLarge && !breaches.some(({ cause }) => cause === 'credentials'))
      return refuse(operation, 'body', reasonOf([oversize(operation)]), request)
    const [first] = breaches
    if (first === undefined) {
      const preferences = preferencesOf(request.headers)
      if (preferences === null) return accept(read)
      const { success, compose } = compile(operation)
      return prefer(preferences, { operation, request, success, compose, sent: sentOf(read) })
    }
    const refused = refuse(operation, first.cause, reasonOf(breaches), request)
    if (first.cause !== 'credentials') return refused
    return after(refused, answer => {
      const due = isBy401(first, policy) ? { ...answer, status: 401 } : answer
      return withChallenge(due, operation, first, contract.title)
    })
  }
  const under: Desk['under'] = policy => request => answerTo(request, policy)
  return {
    engine: under(unauthenticated),
    under,
    operationOf: ({ method, target }) => {
      const route = routeOf(router, method, target)
      return route.kind === 'operation' ? route.operation : null
    },
    read: request => {
      const route = routeOf(router, request.method, request.target)
      return route.kind === 'operation' ? judged(request, route) : null
    },
    accept,
    refuse,
    nowhere,
    compose: (operation, clause, status, known = () => undefined) =>
      compile(operation).compose(clause, status, known, anyWish),
  }
}

/** What all samples that are kept may come to. */
const mostSampleCharacters = 8 * 1024 * 1024

/** HEAD is answered where GET is (RFC 9110, 9.1). */
const routeOf = (router: Router, method: string, target: string): Route => {
  const path = pathOf(target)
  const route = router(method, path)
  if (route.kind !== 'no-method') return route
  if (method === 'HEAD' && route.allow.includes('GET')) return router('GET', path)
  return route.allow.includes('GET') && !route.allow.includes('HEAD')
    ? { ...route, allow: [...route.allow, 'HEAD'] }
    : route
}

/** All the reasons; of wrong credentials only that: a stranger learns nothing of the body. */
const reasonOf = (breaches: readonly Breach[]): Reason => {
  const told = breaches[0]?.cause === 'credentials' ? breaches.slice(0, 1) : breaches
  return {
    code: told[0]?.code ?? codes.otherRule,
    messages: told.map(({ message }) => message),
    at: told.map(({ at }) => at),
  }
}

const successClause = (operation: Operation): ResponseClause | null => {
  const clauses = [...operation.responses].sort((left, right) => left.status.localeCompare(right.status))
  return (
    clauses.find(({ status }) => status.startsWith('2')) ??
    clauses.find(({ status }) => status === 'default' || status.startsWith('3')) ??
    null
  )
}

const plain: Readonly<Record<Cause, number>> = { credentials: 401, media: 415, body: 400, parameter: 400 }

/** The answer where the contract declares no failure to give. */
const bareFailure = (status: number, { code, messages }: Reason, headers: Headers = []): Composed => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: new TextEncoder().encode(JSON.stringify({ error: code, message: messages.join('; ') })),
})

/** Outside the declared operations: a 404 or 405, its body in the shape of the contract's own failures. */
const refuseElsewhere = (
  contract: Contract,
  compile: (operation: Operation) => Compiled,
  status: number,
  reason: Reason,
  headers: Headers,
): Soon<Composed> => {
  for (const operation of contract.operations) {
    const clause = operation.responses.find(response => response.status === refusals(operation, 'body')[0])
    if (clause === undefined || clause.media.length === 0) continue
    const composed = compile(operation).compose(clause, status, failureBody(reason, status, null), anyWish)
    return after(composed, own => ({ status, headers: [...own.headers, ...headers], body: own.body }))
  }
  return bareFailure(status, reason, headers)
}

/** The properties of the answer that were sent, in the body or as parameters of the same names. */
const sentOf =
  ({ body: sent, parameters }: Judgement) =>
  (root: SchemaPlace): Json | undefined => {
    const body = isObject(sent) ? sent : null
    const echoed: [string, Json][] = []
    for (const name of root.properties) {
      const from = body !== null && Object.hasOwn(body, name) ? body : parameters
      if (Object.hasOwn(from, name)) echoed.push([name, from[name] as Json])
    }
    return echoed.length === 0 && body === null ? undefined : Object.fromEntries(echoed)
  }
