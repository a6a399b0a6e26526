import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DocumentError } from '../errors.ts'
import { valueAt } from '../json/pointer.ts'
import { bundle } from '../openapi/bundle.ts'
import { type Inspection, inspect } from '../openapi/check/inspect.ts'
import { uniqueProblems } from '../openapi/diagnostic.ts'
import { withDiscriminators } from '../openapi/discriminators/with-discriminators.ts'
import { type Files, readFiles } from '../openapi/files.ts'
import { beforeNullTypes, withNullTypes } from '../openapi/null-alternatives.ts'
import { applyOverlays, type Overlaid, type Overlay } from '../openapi/overlay/apply.ts'
import { createReader, isNetwork, type RefOptions } from '../openapi/read-files.ts'
import { noRules, readRules } from '../openapi/rules-file.ts'
import { createSources, type Origin, type Sources, shownFile } from '../openapi/source-map.ts'
import { convertSwagger } from '../openapi/swagger/convert.ts'
import { isSwagger, minorVersion, rootProblem } from '../openapi/version-check.ts'
import { type Contract, compileContract } from './contract.ts'
import { shown } from './document-notes.ts'

export type LoadOptions = RefOptions & {
  /** Path or http(s) URL of a document of OpenAPI 3.0 to 3.2 or Swagger 2.0, YAML or JSON. */
  readonly from: string
  /** Called with the path of every file of the document before it is read, even if there is no such file. */
  readonly reads?: (path: string) => void
  /** Also a document that has only what is not tested, such as webhooks, is read: for a list of it. Default: false. */
  readonly mayBeEmpty?: boolean
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
  mayBeEmpty = false,
  ...refs
}: LoadOptions): Promise<Contract> => {
  const isUrl = isNetwork(from)
  const path = isUrl ? from : resolve(from)
  if (!isUrl) checkFile(path, from, reads)
  const root = isUrl ? from : pathToFileURL(path).href
  const sources = createSources(root)
  try {
    const overlays = (refs.overlay ?? []).map(file => readOverlay(file, sources, reads))
    let overlaid: Overlaid | null = null
    const files = await readFiles(root, sources, createReader(root, sources, refs, reads), async document => {
      if (overlays.length > 0) overlaid = await applyOverlays(root, document, overlays, sources)
      return overlaid?.value ?? document
    })
    const { origin = (at: Origin): Origin => at, problems = [] } = (overlaid as Overlaid | null) ?? {}
    const value = contentOf(files, root)
    const problem = rootProblem(value)
    if (problem !== null)
      throw new DocumentError([{ message: problem.message, place: sources.place(problem.at) }])
    const isOlder = isSwagger(value)
    const bundled = bundle(root, files, sources, isOlder || minorVersion(valueAt(value, '/openapi')) === 0)
    const converted = isOlder ? convertSwagger(bundled.document) : null
    const document = converted?.document ?? bundled.document
    sources.relocate(pointer => {
      const before = beforeNullTypes(document, pointer)
      return origin(bundled.origin(converted?.before(before) ?? before))
    })
    const inspected = inspect({ ...bundled, document }, sources, isOlder)
    const inspection = { ...inspected, warnings: [...problems, ...inspected.warnings] }
    const isList = mayBeEmpty && inspection.operations === 0 && inspection.notTested.length > 0
    throwIfUnusable(inspection, { isStrict: refs.strictDocument === true, isList }, sources)
    const rules = isUrl ? noRules : readRules(path, document, reads)
    return compileContract(withNullTypes(withDiscriminators(document)), sources, shownFile(root), rules, {
      ...inspection,
      convertedFrom: isOlder ? 'Swagger 2.0' : null,
      overlays: overlays.map(({ url }) => shownFile(url)),
    })
  } catch (error) {
    if (error instanceof RangeError) throw failure(`${shownFile(root)} is nested too deeply to be read`)
    throw error
  }
}

/** An overlay as it stands in its file. */
const readOverlay = (file: string, sources: Sources, reads: (path: string) => void): Overlay => {
  const path = resolve(file)
  checkFile(path, file, reads)
  const { href: url } = pathToFileURL(path)
  return { url, value: sources.read(url, readFileSync(path, 'utf8')) }
}

const contentOf = (files: Files, root: string): unknown => {
  const file = files.get(root)
  return file !== undefined && 'value' in file ? file.value : undefined
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

const checkFile = (root: string, from: string, reads: (path: string) => void): void => {
  reads(root)
  const file = statSync(root, { throwIfNoEntry: false })
  if (file === undefined) throw failure(`there is no such file: ${from}`)
  if (file.isDirectory()) throw failure(`${from} is a folder: name the file in it`)
}

const failure = (message: string): DocumentError => new DocumentError([{ message, place: null }])
