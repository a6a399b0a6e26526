import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { DocumentError } from '../errors.ts'
import { localReference, type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import type { Problem } from '../openapi/diagnostic.ts'
import { withDiscriminators } from '../openapi/discriminators.ts'
import { lint } from '../openapi/lint.ts'
import { createReaders, isNetwork, type RefOptions, referenceProblems } from '../openapi/read-files.ts'
import { deadReferences, referencesOf } from '../openapi/references.ts'
import { noRules, readRules } from '../openapi/rules-file.ts'
import { createSources, type Sources, shownFile } from '../openapi/source-map.ts'
import { dropSiblings, upgrade } from '../openapi/upgrade-3-0.ts'
import { rootProblem } from '../openapi/version-check.ts'
import { type Contract, compileContract } from './contract.ts'

export type LoadOptions = RefOptions & {
  /** Path or http(s) URL of an OpenAPI 3.0 or 3.1 document, YAML or JSON. */
  readonly from: string
  /** Called with the path of every file of the document before it is read, even if there is no such file. */
  readonly reads?: (path: string) => void
}

/** The document of the plant store. */
export const plantStoreDocument: URL = new URL('../openapi/plant-store.openapi.yaml', import.meta.url)

/** Reads, bundles, lints and compiles an OpenAPI document. Throws DocumentError with all problems. */
export const loadContract = async ({ from, reads = () => {}, ...refs }: LoadOptions): Promise<Contract> => {
  const isUrl = isNetwork(from)
  const root = isUrl ? from : resolve(from)
  if (!isUrl) checkFile(root, from, reads)
  const sources = createSources(root)
  const bundled = await bundle(root, sources, createReaders(root, sources, refs, reads))
  const structure = await structureProblems(bundled, sources)
  const document = withDiscriminators(upgrade(bundled))
  const problems = [...lint(document, sources), ...structure]
  if (problems.length > 0) throw new DocumentError(unique(problems))
  const rules = isUrl ? noRules : readRules(root, document, reads)
  return compileContract(document, sources, shownFile(root), rules)
}

const checkFile = (root: string, from: string, reads: (path: string) => void): void => {
  reads(root)
  const file = statSync(root, { throwIfNoEntry: false })
  if (file === undefined) throw failure(`there is no such file: ${from}`)
  if (file.isDirectory()) throw failure(`${from} is a folder: name the OpenAPI document in it`)
}

type Document = Record<string, unknown>

const bundle = async (
  root: string,
  sources: Sources,
  readers: ReturnType<typeof createReaders>,
): Promise<Document> => {
  let isOld = false
  const options = {
    parse: {
      json: false,
      text: false,
      binary: false,
      // One parser for YAML and JSON that keeps the line of every place.
      yaml: {
        order: 1,
        canParse: true,
        parse: (file: { url: string; data: string | Buffer }) => {
          const value = sources.read(file.url, textOf(file))
          const isRoot = sources.isRoot(file.url)
          const problem = isRoot ? rootProblem(value) : null
          if (isRoot) isOld = /^3\.0/.test(String(valueAt(value, '/openapi')))
          if (problem === null) {
            if (isOld) dropSiblings(value)
            return value
          }
          throw new DocumentError([{ message: problem.message, place: sources.place(problem.at) }])
        },
      },
    },
    resolve: { http: false, file: false, ...readers },
  }
  try {
    const parsed = await SwaggerParser.parse(root, options as SwaggerParser.Options)
    if (typeof parsed !== 'object' || parsed === null)
      throw failure(`${shownFile(root)} is not an OpenAPI document`)
    const references = referencesOf(parsed)
    // A document in one file needs no bundling, which takes seconds if it is large.
    if (references.outside)
      return encodeReferences(
        await SwaggerParser.bundle(root, parsed, options as SwaggerParser.Options),
      ) as Document
    const [dead] = deadReferences(parsed, references)
    if (dead !== undefined) throw new DocumentError(deadProblems(dead, sources))
    return encodeReferences(parsed) as Document
  } catch (error) {
    throw asDocumentError(error, root, sources)
  }
}

const textOf = ({ url, data }: { readonly url: string; readonly data: string | Buffer }): string => {
  if (typeof data === 'string') return data
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    throw failure(`${shownFile(url)} is not UTF-8 text: save it in that encoding`)
  }
}

// The bundler refers to places below paths, and the braces of a path template are not allowed in a URI reference.
const encodeReferences = <T extends object>(value: T): T => {
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'object' && child !== null) encodeReferences(child)
    else if (key === '$ref' && typeof child === 'string' && child.startsWith('#/'))
      (value as Document)[key] = `#${encodeURI(localReference(child) ?? '')}`
  }
  return value
}

// Targets of references are validated at their own place: dereferencing takes seconds and a lot of memory.
const withoutDereferencing = {
  resolve: { external: false },
  dereference: { excludedPathMatcher: () => true },
}

const structureProblems = async (bundled: Document, sources: Sources): Promise<readonly Problem[]> => {
  try {
    await SwaggerParser.validate(bundled as never, withoutDereferencing)
    return []
  } catch (error) {
    const details = (
      error as { details?: readonly { instancePath?: string; message?: string; params?: object }[] }
    ).details
    if (details === undefined)
      return [{ message: cleanMessage((error as Error).message), place: sources.place('') }]
    // The errors of enclosing places and alternatives only repeat the innermost one.
    const isInnermost = (path: string): boolean =>
      !details.some(({ instancePath = '' }) => instancePath.startsWith(`${path}/`))
    return details
      .filter(
        ({ instancePath = '', message = '' }) =>
          isInnermost(instancePath) && !/schema is always false|"then"|"else"/.test(message),
      )
      .map(({ instancePath = '', message = 'is wrong', params }) => ({
        message: describeDetail(instancePath, message, params),
        place: sources.place(extraPlace(instancePath, params)),
      }))
  }
}

// An unexpected property is reported at its own place, not at its parent.
const extraPlace = (at: Pointer, params: object = {}): Pointer => {
  const { additionalProperty, unevaluatedProperty } = params as Readonly<Record<string, unknown>>
  const name = additionalProperty ?? unevaluatedProperty
  return typeof name === 'string' ? step(at, name) : at
}

const describeDetail = (at: Pointer, message: string, params: object = {}): string => {
  const names = steps(at)
  const isItem = /^\d+$/.test(names.at(-1) ?? '') && names.at(-2) !== 'responses'
  const subject = isItem ? names.slice(-2).join('/') : (names.at(-1) ?? 'the document')
  const { allowedValues } = params as { readonly allowedValues?: readonly unknown[] }
  // Each alternative of a parameter allows one value, and the error would name the values of one only.
  if (subject === 'in' && allowedValues !== undefined) return 'in must be path, query, header or cookie'
  if (allowedValues !== undefined) return `${subject} must be one of ${allowedValues.join(', ')}`
  const name = Object.values(params).find(value => typeof value === 'string')
  return /additional|unevaluated/i.test(message) && name !== undefined
    ? `${subject} has no field "${name}" in OpenAPI`
    : `${subject} ${message}`
}

const cleanMessage = (message: string): string =>
  (message.split('\n')[0] ?? message).replaceAll(`${process.cwd()}/`, '').replaceAll('file://', '')

const failure = (message: string): DocumentError => new DocumentError([{ message, place: null }])

const asDocumentError = (error: unknown, root: string, sources: Sources): DocumentError => {
  for (
    let cause: unknown = error;
    cause instanceof Error;
    cause = cause.cause ?? (cause as { ioErrorCause?: unknown }).ioErrorCause
  ) {
    if (cause instanceof DocumentError) return cause
  }
  const nested = (error as { errors?: readonly unknown[] }).errors?.[0]
  if (nested !== undefined && nested !== error) return asDocumentError(nested, root, sources)
  const { message } = error as Error
  const missing = /\$ref pointer "([^"]+)"/.exec(message)?.[1]
  if (missing !== undefined) return new DocumentError(deadProblems(missing, sources))
  return new DocumentError([{ message: cleanMessage(message), place: sources.place('') }])
}

const deadProblems = (reference: string, sources: Sources): readonly Problem[] =>
  referenceProblems(`the $ref "${reference}" cannot be resolved`, reference, sources)

// Of several messages for one place the first is the plainest, as it comes from `lint`.
const unique = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(
    ({ place }, index) =>
      index === problems.findIndex(other => JSON.stringify(other.place) === JSON.stringify(place)),
  )
