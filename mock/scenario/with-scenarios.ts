import {
  type Contract,
  canonical,
  codes,
  header,
  isObject,
  type Json,
  type Operation,
} from '../../spec/index.ts'
import { type Composed, withHeader } from '../compose.ts'
import type { Desk, Engine, MockRequest, Read } from '../engine.ts'
import { identityNameOf } from '../identity-name.ts'
import { chosenAnswer, isChosen, reasonOf } from './answer.ts'
import type { Active, Board } from './board.ts'
import { delayOf, wait } from './delay.ts'
import { exampleOf } from './example.ts'
import { failBy } from './fail.ts'
import { fitted } from './fit.ts'
import { preferredScenario } from './prefer.ts'
import type { Scenario } from './scenario.ts'

/** Names the client that a request comes from, so that scenarios may be for it alone. */
export const clientHeader = 'plantstore-client'

type Stage = {
  readonly contract: Contract
  readonly desk: Desk
  readonly board: Board
  readonly seed: number
}

/** A request that meets a scenario. */
type Meeting = {
  readonly request: MockRequest
  readonly operation: Operation
  /** Of its client and operation. */
  readonly key: string
  readonly met: readonly Active[]
  /** All that is met, as one. */
  readonly scenario: Scenario
}

/** What was done, in a few words. */
type Done = { readonly answer: Composed; readonly words: readonly string[] }

/** Answers as the scenarios want it that are on, or that a request asks for itself; all others go to the engine. */
export const withScenarios = (engine: Engine, stage: Stage): Engine => {
  const { desk, board } = stage
  return request => {
    const prefers = header(request.headers, 'prefer') !== null
    if (board.isIdle() && !prefers) return engine(request)
    const operation = desk.operationOf(request)
    if (operation === null) return engine(request)
    const client = header(request.headers, clientHeader)
    const on = board.meets(client, operation.id)
    if (on.length === 0 && !prefers) return engine(request)
    const key = `${client?.slice(0, 100) ?? ''} ${operation.id}`
    return staged(engine, stage, { request, operation, key, on })
  }
}

const staged = async (
  engine: Engine,
  stage: Stage,
  { on, ...asked }: Pick<Meeting, 'request' | 'operation' | 'key'> & { readonly on: readonly Active[] },
): Promise<Composed> => {
  const { request, operation, key } = asked
  const met = on.filter(({ tally }) => tally.isTurn(key))
  const { scenario: preferred, problems } = preferredScenario(request.headers)
  if (met.length === 0 && preferred === null && problems.length === 0) return engine(request)
  const parts = met.map(({ scenario }) => fitted(stage.contract, operation, scenario))
  const scenario: Scenario = Object.assign({}, ...parts, preferred)
  const { answer, words } = await decide(engine, stage, { ...asked, met, scenario })
  const said = [...words, ...problems]
  const { fault, delay } = scenario
  const ms = delay === undefined ? 0 : delayOf(delay, request, stage.seed)
  if (delay !== undefined) said.push(`delay ${ms} ms`)
  if (fault !== undefined) said.push(fault)
  if (ms > 0 && !(await wait(ms, request))) said.push('the client left')
  const told = said.length === 0 ? answer : { ...answer, scenario: said.join(', ') }
  if (fault === undefined) return told
  return fault === 'malformed' ? malformed(told) : { ...told, fate: fault }
}

/** What is answered, and why. */
const decide = async (engine: Engine, stage: Stage, meeting: Meeting): Promise<Done> => {
  const { contract, desk } = stage
  const { request, met, scenario } = meeting
  const limited = await overLimit(stage, meeting)
  if (limited !== null) return limited
  const { unauthenticated, breaks } = scenario
  if (isChosen(scenario)) {
    const read = readOf(desk, request)
    const example = scenario.example === undefined ? null : exampleOf(contract, read.operation, scenario)
    const answer = await chosenAnswer(desk, read, scenario, example, contract.title)
    return { answer: judged(answer, read), words: [chosenWords(scenario, answer)] }
  }
  const known = await duplicate(stage, meeting)
  if (known !== null) return known
  const breaker = met.findLast(active => active.breaker !== null)?.breaker ?? null
  if (breaker !== null) return { answer: await breaker(request), words: [`breaks ${breaks}`] }
  if (unauthenticated === undefined) return usual(await engine(request))
  const answer = await desk.under(unauthenticated)(request)
  const isStranger = answer.judged?.breaches[0]?.cause === 'credentials'
  return { answer, words: isStranger ? [`credentials by ${unauthenticated}`] : [] }
}

const usual = (answer: Composed): Done => ({
  answer,
  words: answer.scenario === undefined ? [] : [answer.scenario],
})

const overLimit = async (
  { desk }: Stage,
  { request, operation, key, met, scenario }: Meeting,
): Promise<Done | null> => {
  const active = met.findLast(own => own.scenario.limit !== undefined)
  const left = active?.tally.over(key) ?? null
  const { limit } = active?.scenario ?? {}
  if (left === null || limit === undefined) return null
  const seconds = Math.max(1, Math.ceil(left))
  const reason = reasonOf(scenario, {
    code: codes.tooManyRequests,
    messages: [`the limit of ${limit.requests} in ${limit.seconds} s is reached: try again in ${seconds} s`],
  })
  const answer = await failBy(desk, operation, 429, reason, scenario.undeclared === true)
  return {
    answer: withHeader(judged(answer, readOf(desk, request)), 'Retry-After', String(seconds)),
    words: [`${answer.status} over the limit`],
  }
}

const duplicate = async (
  { contract, desk }: Stage,
  { request, operation, key, met, scenario }: Meeting,
): Promise<Done | null> => {
  const active = met.findLast(own => own.scenario.duplicates === 'refuse')
  const name = identityNameOf({ contract, operation })
  if (active === undefined || name === undefined || scenario.duplicates !== 'refuse') return null
  const read = readOf(desk, request)
  const { body, breaches } = read
  if (breaches.length > 0 || request.tooLarge || !isObject(body) || body[name] === undefined) return null
  const identity = canonical(body[name] as Json)
  if (!active.tally.isKnown(key, identity)) return null
  const reason = reasonOf(scenario, {
    code: codes.identityTaken,
    messages: [`/${name} ${identity.slice(0, 100)} is taken already`],
  })
  const answer = await failBy(desk, operation, 409, reason, scenario.undeclared === true)
  return { answer: judged(answer, read), words: [`${answer.status} duplicate`] }
}

/** The request of an operation, read. */
const readOf = (desk: Desk, request: MockRequest): Read => {
  const read = desk.read(request)
  if (read === null) throw new Error('a request of no operation meets no scenario')
  return read
}

const judged = (answer: Composed, { operation, breaches }: Read): Composed => ({
  ...answer,
  judged: { operation, breaches },
})

const chosenWords = ({ code, example }: Scenario, { status }: Composed): string =>
  [status, ...(code === undefined ? [] : [`code ${code}`]), ...(example === undefined ? [] : [example])].join(
    ' ',
  )

/** The answer with a body that no parser takes for JSON. */
const malformed = (answer: Composed): Composed => {
  if (header(answer.headers, 'content-type') === null) return answer
  const body = new Uint8Array(answer.body.length + 1)
  body[0] = '{'.charCodeAt(0)
  body.set(answer.body, 1)
  return { ...answer, body }
}
