// The nouns of contract testing: documents, contracts, obligations, requests, responses, and the record of a run.

export { type ReadableFormat, readBody, type WrittenBody, writeBody } from './bodies/body-codec.ts'
export type { PartChange } from './bodies/multipart-body.ts'
export { sampleFile } from './bodies/sample-files.ts'
export * from './callbacks/index.ts'
export type {
  BodyFormat,
  Contract,
  DeclaredResponse,
  Direction,
  Media,
  Operation,
  Parameter,
  Scheme,
} from './contract/contract.ts'
export { formatOf, writtenAs } from './contract/form-fields.ts'
export { gapSummary, gapsOf } from './contract/gaps.ts'
export { type Identity, identityOf } from './contract/identity.ts'
export * from './contract/load.ts'
export {
  declaresRejection,
  type RequestPart,
  rejectionStatuses,
  successStatuses,
} from './contract/rejection-statuses.ts'
export { requiredScopes } from './contract/security.ts'
export { basePathOf, serversOf } from './contract/servers.ts'
export * from './credentials/index.ts'
export { credentialForms, tokenPattern } from './defaults.ts'
export { DocumentError, SelectionError } from './errors.ts'
export * from './flows/index.ts'
export { authorizationSchemes } from './http/authorization-schemes.ts'
export { createGrowingBytes, decodedBody, readableBody } from './http/content-encoding.ts'
export {
  asOtherUser,
  fillToken,
  fillTokenIn,
  headerPlaceholder,
  otherUser,
  partsOf,
  placeholder,
  redact,
  type Secret,
  type SecretOf,
} from './http/credential-placeholders.ts'
export { curlCommand, extendCurl } from './http/curl.ts'
export { curlScript } from './http/curl-script.ts'
export { cut, describeResponse, partsText } from './http/describe-response.ts'
export {
  announcesNoContent,
  type Failure,
  failureText,
  type Headers,
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  isJsonMedia,
  mediaFor,
  mediaType,
  type Outcome,
  problemType,
  type RawRequest,
  type RawTrace,
  statusOf,
  takesMedia,
} from './http/exchange.ts'
export { withoutBoundary } from './http/multipart.ts'
export { resetAfter } from './http/rate-limit.ts'
export { fillRaw } from './http/raw.ts'
export { secretPrefix } from './http/shell-secrets.ts'
export { type StreamKind, streamKindOf, wholeItems } from './http/stream-kind.ts'
export type { TrafficEntry } from './http/traffic.ts'
export * from './json/index.ts'
export type { RightTokens, Tokens } from './judge/credentials.ts'
export * from './judge/expected-status.ts'
export { failureTitle, isBlocking, outcomeText } from './judge/failure-title.ts'
export { createRequestJudge, type RequestJudge, type RequestJudgement } from './judge/request.ts'
export * from './judge/request-violation.ts'
export { createResponseJudge, isUnread, type ResponseJudge } from './judge/response.ts'
export * from './judge/response-violation.ts'
export { judgeChallenge } from './judge/www-authenticate.ts'
export {
  type Baseline,
  type BaselineEntry,
  baselineEntriesOf,
  causeOf,
  causesIn,
  contractPart,
  createBaseline,
  findingsByObligation,
  isAccepted,
  isCovered,
  trafficFile,
  trafficPolicy,
  withoutFixed,
} from './ledger/baseline.ts'
export { contradictionsIn } from './ledger/contradictions.ts'
export {
  type Coverage,
  coverageOf,
  isAcceptedPart,
  isLeftOut,
  isTestedBy,
  levelTally,
  scoreOf,
  type Tally,
} from './ledger/coverage.ts'
export type * from './ledger/event.ts'
export type { ServerCertificate } from './ledger/event.ts'
export * from './ledger/ledger.ts'
export { seedOfNonce } from './ledger/nonce.ts'
export * from './ledger/pin.ts'
export {
  isWronglyAccepted,
  recordBody,
  recordedBytes,
  recordOutcome,
  recordRequest,
} from './ledger/recorded-exchange.ts'
export type { RunPhase, RunWatch } from './ledger/run-watch.ts'
export { stopText } from './ledger/stop-text.ts'
export { createWaivers, expiredNote, type Waiver, type Waivers } from './ledger/waiver.ts'
export { clientsOf } from './obligations/derive/clients.ts'
export { escapedText } from './obligations/derive/encodings.ts'
export * from './obligations/derive/index.ts'
export type { ResponseTimeLimit } from './obligations/derive/response-time.ts'
export { mayChallenge } from './obligations/inputs/challenge-rules.ts'
export { askedType, bodyTypes, mostClientFields } from './obligations/inputs/client-fields.ts'
export type { CredentialKind } from './obligations/inputs/credential-kind.ts'
export { variantsOf as credentialVariants } from './obligations/inputs/credential-kind.ts'
export { credentialKinds, sendsSecret, testedScheme } from './obligations/inputs/credentials.ts'
export { malformedKindsOf } from './obligations/inputs/malformed-bodies.ts'
export {
  type MalformedHttpCheck,
  type MalformedHttpKind,
  malformedHttpKinds,
} from './obligations/inputs/malformed-http/index.ts'
export { malformedKinds } from './obligations/inputs/malformed-json.ts'
export { isIntegerSpelling } from './obligations/inputs/numbers.ts'
export { isVariant, lengthsOf, matches } from './obligations/matches/matches.ts'
export { hasLarger, isOneOfFew, type Values } from './obligations/matches/values.ts'
export {
  type Clause,
  type Family,
  families,
  isCounted,
  type Level,
  type Obligation,
  type Pin,
  type StatusPolicy,
  type UnauthenticatedPolicy,
  type UndeclaredFailurePolicy,
} from './obligations/obligation.ts'
export * from './obligations/obligation-id.ts'
export {
  bodyMedia,
  isReadable,
  jsonMedia,
  type OperationContext,
  operationContext,
} from './obligations/operation-context.ts'
export { limitHeaderOf, rateLimitNames, withRateLimit } from './obligations/rate-limit.ts'
export * from './obligations/rejection-question.ts'
export { type JudgedMedia, judgedMedia } from './obligations/response-media.ts'
export { type Selection, select, unknownObligation } from './obligations/selection.ts'
export type * from './obligations/subject.ts'
export * from './obligations/value-location.ts'
export * from './openapi/diagnostic.ts'
export { asWritten } from './openapi/exact-limits.ts'
export { namedExamples, schemaExamples } from './openapi/examples.ts'
export type { Excerpt } from './openapi/excerpt.ts'
export { parseYaml, repeatedKeys, syntaxProblem, yamlValue } from './openapi/parse-text.ts'
export { isNetwork, type RefOptions } from './openapi/read-files.ts'
export { repeatedAlternatives } from './openapi/unsatisfiable/repeated-alternatives.ts'
export { createAutomaton, type Edge, type Range } from './patterns/automaton.ts'
export { compilePattern, type Pattern, wholePattern } from './patterns/pattern.ts'
export { loadPrism, type Prism } from './prism.ts'
export { sentBy } from './resources/callback-obligations.ts'
export { actingOperations, dangerOf, mayActOn, mayEndAccess, removesMany } from './resources/destructive.ts'
export { isElsewhere } from './resources/elsewhere.ts'
export { resourcesOf } from './resources/graph.ts'
export { otherKeyed } from './resources/idempotency-obligations.ts'
export * from './resources/names.ts'
export * from './resources/request-headers.ts'
export {
  createsByName,
  creatorCalled,
  creatorOf,
  declaredCreatorOf,
  endsInName,
  givesJson,
  type ListedResource,
  nounNamed,
  nounOfPath,
  type PathName,
  type Resource,
  type ResourceGraph,
  shapeOf,
  wordsOf,
} from './resources/resource.ts'
export { isUserChange, showsOwnUser } from './resources/users.ts'
export * from './resources/value-in.ts'
export { requestPatterns } from './routes/request-pattern.ts'
export { responseFor } from './routes/response-for.ts'
export { createRouter, encodedTemplate, pathValues, type Route, type Router } from './routes/route.ts'
export { annotationKeywords } from './schema/annotations.ts'
export { uncheckedFormat } from './schema/formats.ts'
export { invalidValues, valuesBeyondFormat, valuesOfType } from './schema/invalid-values.ts'
export {
  childPlace,
  itemPlace,
  type KeywordUse,
  listPlaces,
  placeOf,
  placesOf,
  propertyPlace,
  type SchemaPlace,
} from './schema/locations.ts'
export type { SchemaViolation } from './schema/schema-violation.ts'
export { digitsAt, distinct, formatSamples, plainValue, turnOf } from './schema/simplest-value.ts'
export { hasCombinations, typedProperties } from './schema/typed-properties.ts'
export {
  compilePlain,
  compileSchema,
  isValidAt,
  metaSchema,
  type Schema,
  schemasIn,
  type Validate,
} from './schema/validator.ts'
export { variantsOf as placeVariants } from './schema/variants.ts'
export { cookiePairs, queryPairs, readParameter } from './serialization/parse-parameter.ts'
export { type ExtraField, inNameOf, writeRequestHead } from './serialization/request-head.ts'
export { scalarText, writeParameter } from './serialization/serialize-parameter.ts'
export { isShown, isShownIn } from './serialization/shown.ts'
export { decodedText, withoutLastSlashes } from './text/characters.ts'
export { codesFor } from './text/codes.ts'
export { latin1 } from './text/latin1.ts'
export { describedValues, listedIn } from './text/listed-values.ts'
export { nearest } from './text/nearest.ts'
export { createPaint, type Paint, type Style, safeLines, safeText } from './text/safe-text.ts'
export { duration, plural, shortText, thousands } from './text/shown-text.ts'
export { type RecordedClause, traceOf } from './traceability/trace.ts'
export * from './usage/index.ts'
