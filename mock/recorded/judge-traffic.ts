import {
  errorCodes,
  isOfBody,
  type RequestViolation,
  type ResponseViolation,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import { type Context, createContext, type Forwarded } from '../engine/context.ts'
import { judge } from '../engine/judge.ts'
import { noBody } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { judgeReceived, unjudgedStatus } from '../proxy/judge-exchange.ts'
import { filledRequest, filledResponse } from './filled.ts'
import type { PlacedEntry } from './place-traffic.ts'

/** Stands for any secret that the file does not have: what is wrong with it is not wrong with the secret. */
export const anySecret = 'recorded-secret'

/** Judges a recorded exchange as the proxy judges one that goes through it. */
export const judgeEntry = ({ entry, document, target }: PlacedEntry): Context => {
  // Whether the tokens of that time were right, nobody knows.
  const engine = { ...document.engine, rightTokens: null }
  const context = createContext({ ...filledRequest(entry, target, anySecret), connection: entry })
  context.document = document
  const judged = judge(engine, context)
  if (judged !== null)
    context.judged = {
      ...judged,
      violations: judged.violations.filter(each => isShown(each, judged, entry.hasCredentials)),
    }
  const { failure, unjudged } = entry
  const response = entry.response === null ? null : filledResponse(entry.response, anySecret)
  const notJudged = unjudged ?? (response === null ? null : unjudgedStatus(context, response.status))
  const forwarded: Forwarded = {
    response,
    violations:
      response === null || notJudged !== null
        ? []
        : judgeReceived(engine, context, response).filter(each => !isOfSecret(each)),
    failure,
    unjudged: notJudged ?? (entry.isBodyCut ? 'the file does not have all of the body of the request' : null),
    isCut: false,
    replaced: false,
  }
  context.forwarded = forwarded
  return context
}

/** The response of a context that was judged, for the journal. */
export const recordedResponse = ({ forwarded }: Context) =>
  forwarded?.response ?? { status: 0, headers: [], body: noBody }

/** Whether the file shows that a request breaks this. */
const isShown = (
  { part, code, at }: RequestViolation,
  { body, parameters }: JudgedRequest,
  hasCredentials: boolean,
): boolean => {
  if (code === errorCodes.bodyTooLarge) return false
  if (part === 'credentials') return hasCredentials
  if (at === null) return true
  const root = isOfBody(at) ? body : parameters[at.name]
  const value = root === undefined ? undefined : valueAt(root as object, at.place)
  return value === undefined || !writeJson(value as never).includes(anySecret)
}

const isOfSecret = ({ actual, title }: ResponseViolation): boolean => `${title} ${actual}`.includes(anySecret)
