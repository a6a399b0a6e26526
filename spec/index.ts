/** The nouns: the contract and its obligations, requests and answers, and what a run says of them. */
export {
  type Accepted,
  acceptedIn,
  type Baseline,
  BaselineError,
  causeOf,
  createBaseline,
  shrunk,
} from './baseline.ts'
export { lengthsOf, takesBranch } from './branch.ts'
export { type Breach, breachMessage, type Cause, codes } from './breach.ts'
export type {
  Contract,
  Media,
  Method,
  Operation,
  Parameter,
  RequestBody,
  ResponseClause,
  Scheme,
} from './contract.ts'
export { curlCommand, extendCurl } from './curl.ts'
export { compare, type Decimal, decimal, isInteger, isMultiple } from './decimal.ts'
export { decodedBody } from './decode.ts'
export { describeAnswer } from './describe.ts'
export { setAt } from './edit.ts'
export type * from './event.ts'
export {
  type Answer,
  type Exchange,
  type Failure,
  type Headers,
  header,
  headerValues,
  isJsonMedia,
  mediaType,
  type Outcome,
  type Raw,
  type Request,
  type Trace,
  takesMedia,
} from './exchange.ts'
export { readForm, writeForm } from './form.ts'
export { type Identity, identityOf } from './identity.ts'
export {
  canonical,
  duplicateNames,
  isArray,
  isNumber,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  type JsonType,
  numberText,
  parseJson,
  type RawNumber,
  type Reading,
  rawNumber,
  readJson,
  sameJson,
  typeOf,
  writeJson,
} from './json.ts'
export { type AnswerJudge, clauseOf, createAnswerJudge, type Flaw } from './judge-answer.ts'
export { judgeChallenge, mayChallenge } from './judge-challenge.ts'
export type { Tokens } from './judge-credentials.ts'
export { createRequestJudge, type Judgement, type Received, type RequestJudge } from './judge-request.ts'
export { hasPresent, hasValue, isOneOfFew, isReordered, type Values, valuesAt } from './kind.ts'
export {
  broken,
  casesOf,
  type Entry,
  entriesOf,
  foldLedger,
  isWaived,
  type Ledger,
  type Tally,
  tally,
  unauthenticatedOf,
} from './ledger.ts'
export { isNetwork, type LoadOptions, loadContract, plantStoreDocument } from './load.ts'
export { asNode, follow, type Node } from './node.ts'
export { type Clause, type Family, families, type Level, type Obligation, type Pin } from './obligation.ts'
export { bodyMedia, bodyWhere, type Context, contextOf, jsonMedia } from './obligations/context.ts'
export type { CredentialKind } from './obligations/credential-kind.ts'
export { credentialKinds, testedScheme } from './obligations/credentials.ts'
export { obligationsOf, wireObligationsOf } from './obligations/index.ts'
export { malformedKinds } from './obligations/malformed.ts'
export { isIntegerSpelling } from './obligations/numbers.ts'
export { isHeld, observedAnswers, PinError, pinned, pinsOf } from './pin.ts'
export { listPlaces, placeOf, placesOf, type SchemaPlace, type TypeName } from './places.ts'
export { plainValue } from './plain.ts'
export { localReference, type Pointer, step, steps, valueAt } from './pointer.ts'
export { DocumentError, type Place, type Problem, problemLine } from './problem.ts'
export { fillRaw } from './raw.ts'
export { cookiePairs, queryPairs, readParameter } from './read-parameter.ts'
export { recordBody, recordedBytes, recordOutcome, recordRequest } from './record.ts'
export {
  isRefusal,
  isSuccess,
  refusals,
  refusalWords,
  successWords,
  type Unauthenticated,
} from './refusal.ts'
export { createRouter, type Route, type Router } from './route.ts'
export {
  compilePlain,
  compileSchema,
  metaSchema,
  type Schema,
  type Validate,
  type Violation,
} from './schema.ts'
export { type Selection, SelectionError, select } from './selection.ts'
export {
  type AnswerAspect,
  type Given,
  isOfBody,
  type Layout,
  type OpenQuestion,
  type Subject,
  type Where,
} from './subject.ts'
export {
  fillToken,
  headerPlaceholder,
  placeholder,
  redact,
  type Secret,
  shellToken,
  type TokenForm,
} from './token.ts'
export { createWaivers, type Waiver, WaiverError, type Waivers } from './waiver.ts'
export { type WireCheck, type WireKind, wireKinds } from './wire/index.ts'
export { type WrittenParameter, writeParameter } from './write-parameter.ts'
