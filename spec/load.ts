import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { parse } from 'yaml'
import { check } from './check.ts'
import { type Contract, compileContract, type Rules } from './contract.ts'
import { DocumentError, type Problem } from './problem.ts'
import { createSources, type Sources, shownFile } from './source.ts'
import { upgrade } from './upgrade.ts'

export type LoadOptions = {
  /** Path or http(s) URL of an OpenAPI 3.0 or 3.1 document, YAML or JSON. */
  readonly from: string
  /** Whether `$ref`s to http(s) addresses are followed. */
  readonly networkRefs?: boolean
}

/** The plant store's own document. */
export const plantStoreDocument: URL = new URL('./plant-store.openapi.yaml', import.meta.url)

/** Reads, bundles and checks an OpenAPI document and compiles it. Throws DocumentError naming every problem. */
export const loadContract = async ({ from, networkRefs = false }: LoadOptions): Promise<Contract> => {
  const isUrl = /^https?:\/\//i.test(from)
  const root = isUrl ? from : resolve(from)
  if (!isUrl && !existsSync(root)) throw failure(`there is no such file: ${from}`)
  const sources = createSources(root)
  const bundled = await bundle(root, sources, networkRefs)
  const document = upgrade(bundled)
  const problems = [...(await structureProblems(bundled, sources)), ...check(document, sources)]
  if (problems.length > 0) throw new DocumentError(unique(problems))
  return compileContract(document, sources, shownFile(root), isUrl ? {} : readRules(root))
}

/** A file `NAME.rules.yaml` beside a document tells which rule of an interface document each place comes from. */
const readRules = (root: string): Rules => {
  const file = root.replace(/(\.openapi)?\.(ya?ml|json)$/i, '.rules.yaml')
  return file !== root && existsSync(file) ? (parse(readFileSync(file, 'utf8')) as Rules) : {}
}

type Document = Record<string, unknown>

const bundle = async (root: string, sources: Sources, networkRefs: boolean): Promise<Document> => {
  const options = {
    parse: {
      json: false,
      text: false,
      binary: false,
      // One parser for YAML and JSON, which remembers the line of every place.
      yaml: {
        order: 1,
        canParse: true,
        parse: (file: { url: string; data: string | Buffer }) => sources.read(file.url, file.data.toString()),
      },
    },
    resolve: {
      http: false,
      network: { order: 1, canRead: /^https?:/i, read: readNetwork(root, networkRefs) },
    },
  }
  try {
    const document: unknown = await SwaggerParser.bundle(root, options as SwaggerParser.Options)
    if (typeof document !== 'object' || document === null)
      throw failure(`${shownFile(root)} is not an OpenAPI document`)
    return document as unknown as Document
  } catch (error) {
    throw asDocumentError(error, root, sources)
  }
}

const readNetwork =
  (root: string, networkRefs: boolean) =>
  async (file: { url: string }): Promise<string> => {
    if (file.url !== root && !networkRefs)
      throw failure(`the network reference ${file.url} is not followed; allow it with --network-refs`)
    const answer = await fetch(file.url, { signal: AbortSignal.timeout(20_000) }).catch((error: Error) => {
      throw failure(
        `${file.url} cannot be fetched: ${(error.cause as Error | undefined)?.message ?? error.message}`,
      )
    })
    if (!answer.ok) throw failure(`${file.url} cannot be fetched: it answers ${answer.status}`)
    return answer.text()
  }

// Validation works on a copy: it dereferences, and so changes, what it is given.
const structureProblems = async (bundled: Document, sources: Sources): Promise<readonly Problem[]> => {
  try {
    await SwaggerParser.validate(structuredClone(bundled) as never)
    return []
  } catch (error) {
    const details = (
      error as { details?: readonly { instancePath?: string; message?: string; params?: object }[] }
    ).details
    if (details === undefined)
      return [{ message: cleanMessage((error as Error).message), place: sources.place('') }]
    const longest = Math.max(...details.map(({ instancePath = '' }) => instancePath.length))
    // Errors of enclosing alternatives repeat the innermost one.
    return details
      .filter(
        ({ instancePath = '', message = '' }) =>
          instancePath.length === longest && !/schema is always false|"then"|"else"/.test(message),
      )
      .map(({ instancePath = '', message = 'is wrong', params }) => ({
        message: `${describeParams(message, params)}`,
        place: sources.place(instancePath),
      }))
  }
}

const describeParams = (message: string, params: object = {}): string => {
  const allowed = (params as { allowedValues?: readonly unknown[] }).allowedValues
  if (allowed !== undefined) return `${message}: ${allowed.join(', ')}`
  const name = Object.values(params).find(value => typeof value === 'string')
  return /additional|unevaluated/i.test(message) && name !== undefined ? `${message}: "${name}"` : message
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
  const unread = /Error opening file (\S+?):? /.exec(message)?.[1]
  if (missing !== undefined)
    return new DocumentError(referenceProblems(`the $ref "${missing}" leads nowhere`, missing, sources))
  if (unread !== undefined)
    return new DocumentError(
      referenceProblems(`the file of this $ref cannot be read: ${shownFile(unread)}`, unread, sources),
    )
  const at = /Openapi API definition/i.test(message)
    ? ''
    : /API version/.test(message)
      ? '/info/version'
      : '/openapi'
  return new DocumentError([{ message: cleanMessage(message), place: sources.place(at) }])
}

const referenceProblems = (message: string, target: string, sources: Sources): readonly Problem[] => {
  const places = sources.references(target)
  return places.length === 0 ? [{ message, place: null }] : places.map(place => ({ message, place }))
}

const unique = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values(),
]
