import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DocumentError } from '../errors.ts'
import { valueAt } from '../json/pointer.ts'
import { bundle } from '../openapi/bundle.ts'
import { type Inspection, inspect } from '../openapi/check/inspect.ts'
import { convertCollection, isCollection } from '../openapi/conversion/postman.ts'
import { withResourceNames } from '../openapi/conversion/resource-names.ts'
import { convertSwagger } from '../openapi/conversion/swagger.ts'
import { uniqueProblems } from '../openapi/diagnostic.ts'
import { withDiscriminators } from '../openapi/discriminators/alternatives.ts'
import { readFile, readFiles } from '../openapi/files.ts'
import { beforeNullTypes, withNullTypes } from '../openapi/null-alternatives.ts'
import { officialFaults, untold } from '../openapi/official-schema.ts'
import { applyOverlays } from '../openapi/overlay/apply.ts'
import { createReader, isNetwork, type RefOptions } from '../openapi/read-files.ts'
import { noRules, readRules } from '../openapi/rules-file.ts'
import { createSources, normal, pathOf, type Sources, shownFile } from '../openapi/source-map.ts'
import { isSwagger, minorVersion, rootProblem } from '../openapi/version-check.ts'
import { subscriptionsOf } from './callbacks.ts'
import { type Contract, compileContract } from './contract.ts'

/** The parts of a document that a run does not test; `callbacks`: whether it listens for callbacks and webhooks. */
export const partsNotTested = (contract: Contract, callbacks: boolean): Contract['notTested'] => {
  const { notTested, operations } = contract
  if (!callbacks) return notTested
  const isSubscribed = operations.some(operation => subscriptionsOf(contract, operation).length > 0)
  return notTested.filter(
    ({ message }) => !(isSubscribed ? /^the (?:callback|webhook) "/ : /^the callback "/).test(message),
  )
}

/** What a document describes and a run does not test: one line each. `callbacks`: see `partsNotTested`. */
export const documentNotes = (contract: Contract, callbacks = false): readonly string[] => {
  const { leftOut, unresolved, operations } = contract
  const notTested = partsNotTested(contract, callbacks)
  const all = operations.length + leftOut.length
  return [
    ...(leftOut.length === 0
      ? []
      : [
          `${leftOut.length} of ${all} operations are left out, because the document describes them in a way that cannot be used: ${shown(leftOut.map(({ method, path }) => (method === '*' ? path : `${method} ${path}`)))}`,
        ]),
    ...(unresolved.length === 0
      ? []
      : [
          `${unresolved.length === 1 ? 'a reference' : `${unresolved.length} references`} of the document could not be resolved, so what ${unresolved.length === 1 ? 'it stands' : 'they stand'} for is not checked: ${shown(unresolved)}`,
        ]),
    ...(notTested.length === 0
      ? []
      : [
          `the document also describes what is not tested: ${shown(notTested.map(({ message }) => message.replace(/,? is not tested$/, '')))}`,
        ]),
  ]
}

/** The names that a line has. */
const mostShown = 5

const shown = (names: readonly string[]): string =>
  names.length <= mostShown
    ? names.join(', ')
    : `${names.slice(0, mostShown).join(', ')} and ${names.length - mostShown} more`

export type LoadOptions = RefOptions & {
  /** Path or http(s) URL of a document of OpenAPI 3.0 to 3.2 or Swagger 2.0, YAML or JSON. */
  readonly from: string
  /** Called with the path of every file of the document before it is read, even if there is no such file. */
  readonly reads?: (path: string) => void
  /** Also a Postman collection is read, for the mock: it says what was sent, and not what is allowed. Default: false. */
  readonly mayBeCollection?: boolean
  /** Also a document that has only what is not tested, such as webhooks, is read: for a list of it. Default: false. */
  readonly mayBeEmpty?: boolean
  /** Also what the official JSON Schema says against the document is a warning, if nothing else is told of the place. Default: false. */
  readonly officialSchema?: boolean
}

/** The source of the contract that ships with the product and needs no `--spec`. */
export const builtIn = 'built-in'

/** The document of the plant store. */
export const plantStoreDocument: URL = new URL('../openapi/plant-store.openapi.yaml', import.meta.url)

/**
 * Reads, bundles, checks and compiles an OpenAPI document. What is wrong with it is told with the contract, unless nothing of it can be used
 * or `strictDocument` is set: throws DocumentError with all problems.
 */
export const loadContract = async ({
  from,
  reads = () => {},
  mayBeCollection = false,
  mayBeEmpty = false,
  officialSchema = false,
  ...refs
}: LoadOptions): Promise<Contract> => {
  const root = addressOf(from, reads)
  const overlays = (refs.overlay ?? []).map(file => addressOf(file, reads))
  const sources = createSources(root)
  const given = new Set([root, ...overlays].map(normal))
  const read = createReader(root, url => given.has(normal(url)), refs, reads)
  const readValue = (url: string): Promise<unknown> => readFile(url, sources, read)
  try {
    const changes = await Promise.all(overlays.map(async url => ({ url, value: await readValue(url) })))
    const { value, origin, problems } = await applyOverlays(root, await readValue(root), changes, sources)
    const isPostman = isCollection(value)
    const problem = isPostman ? null : rootProblem(value)
    if (isPostman && !mayBeCollection)
      throw failure(
        `${shownFile(root)} is a Postman collection, which says what was sent and not what is allowed: only the mock reads it as a document, and --examples takes values from it`,
      )
    if (problem !== null)
      throw new DocumentError([{ message: problem.message, place: sources.place(problem.at) }])
    const files = await readFiles(root, value as object, sources, read)
    const isOlder = isSwagger(value)
    const bundled = bundle(root, files, sources, isOlder || minorVersion(valueAt(value, '/openapi')) === 0)
    // Before the check takes out of the document what cannot be used.
    const official =
      officialSchema && !isPostman
        ? (await officialFaults(bundled.document)).map(({ message, at }) => ({
            message,
            place: sources.placeIn(origin(bundled.origin(at))),
          }))
        : []
    const converted = isPostman
      ? await convertCollection(bundled.document)
      : isOlder
        ? convertSwagger(bundled.document)
        : null
    if (isPostman && converted === null)
      throw failure(`${shownFile(root)} is a Postman collection, which only Node can read`)
    const named = withResourceNames(converted?.document ?? bundled.document)
    const document = named?.document ?? converted?.document ?? bundled.document
    sources.relocate(pointer => {
      const nulls = beforeNullTypes(document, pointer)
      const before = named?.before(nulls) ?? nulls
      return origin(bundled.origin(converted?.before(before) ?? before))
    })
    const inspected = inspect({ ...bundled, document }, sources, isOlder)
    const ours = [...problems, ...inspected.warnings]
    const told = [...ours, ...inspected.leftOut.flatMap(each => each.problems)]
    const inspection = { ...inspected, warnings: [...ours, ...untold(official, told)] }
    const isList = mayBeEmpty && inspection.operations === 0 && inspection.notTested.length > 0
    throwIfUnusable(inspection, { isStrict: refs.strictDocument === true, isList }, sources)
    const rules = isNetwork(root) ? noRules : readRules(pathOf(root), document, reads)
    return compileContract(withNullTypes(withDiscriminators(document)), sources, shownFile(root), rules, {
      ...inspection,
      convertedFrom: isPostman ? 'a Postman collection' : isOlder ? 'Swagger 2.0' : null,
      overlays: overlays.map(shownFile),
    })
  } catch (error) {
    if (error instanceof RangeError) throw failure(`${shownFile(root)} is nested too deeply to be read`)
    throw error
  }
}

/** The URL of a file or of what is a URL already. Throws DocumentError if there is no such file. */
const addressOf = (from: string, reads: (path: string) => void): string => {
  if (isNetwork(from)) return from
  const path = resolve(from)
  reads(path)
  const file = statSync(path, { throwIfNoEntry: false })
  if (file === undefined) throw failure(`there is no such file: ${from}`)
  if (file.isDirectory()) throw failure(`${from} is a folder: name the file in it`)
  return pathToFileURL(path).href
}

const throwIfUnusable = (
  { warnings, leftOut, notTested, operations }: Inspection,
  { isStrict, isList }: { readonly isStrict: boolean; readonly isList: boolean },
  sources: Sources,
): void => {
  const reasons = leftOut.flatMap(({ problems }) => problems)
  const wrong = leftOut.filter(({ isFault }) => isFault).flatMap(({ problems }) => problems)
  if (isStrict && wrong.length + warnings.length > 0)
    throw new DocumentError(uniqueProblems([...wrong, ...warnings]))
  if (isList || operations > leftOut.filter(({ method }) => method !== '*').length) return
  const none =
    notTested.length === 0
      ? 'the document declares no operation'
      : `the document declares no operation: ${shown(notTested.map(({ message }) => message))}`
  throw new DocumentError(
    uniqueProblems(
      operations > 0 || reasons.length > 0
        ? [...reasons, ...warnings]
        : [{ message: none, place: sources.place('/paths') }, ...warnings],
    ),
  )
}

const failure = (message: string): DocumentError => new DocumentError([{ message, place: null }])
