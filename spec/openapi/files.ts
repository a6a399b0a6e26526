import { DocumentError } from '../errors.ts'
import { asNode } from '../json/follow-refs.ts'
import type { Problem } from './diagnostic.ts'
import { normal, type Sources, shownFile, targetOf } from './source-map.ts'
import { minorVersion } from './version-check.ts'
import { isTable, type MutableNode, walkReferences } from './walk-references.ts'

/** The files of a document as they were read: their values, or why one cannot be used. */
export type Files = ReadonlyMap<string, File>

type File = { readonly value: unknown } | { readonly problem: Problem }

type Read = (url: string) => Promise<Uint8Array>

/** The files of a document, whose value is read already, and those that its references name. */
export const readFiles = async (
  root: string,
  value: object,
  sources: Sources,
  read: Read,
): Promise<Files> => {
  const files = new Map<string, File>([[normal(root), { value }]])
  const { addresses } = referencesIn(root, value)
  // What is here already needs no parser, which takes a moment to load.
  if (addresses.size === 0) return files
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
  const unexpected: unknown[] = []
  const attempt = async <T>(url: string, step: () => T | Promise<T>): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      if (error instanceof DocumentError) files.set(url, { problem: error.problems[0] as Problem })
      else unexpected.push(error)
      throw error
    }
  }
  // The servers of a document from `http:` would get a host, and stop it if they are no list.
  const address = root.replace(/^http/, 'HTTP')
  await SwaggerParser.resolve(address, accepted(forParser(root, value, addresses)) as never, {
    continueOnError: true,
    resolve: {
      file: false,
      http: false,
      contract: {
        canRead: ({ url }: FileInfo) => addresses.has(normal(url)),
        read: ({ url }: FileInfo) => attempt(normal(url), () => read(normal(url))) as Promise<Buffer>,
      },
    },
    parse: {
      json: false,
      yaml: false,
      text: false,
      binary: false,
      contract: {
        allowEmpty: true,
        canParse: true,
        parse: ({ url, data }: FileInfo) =>
          attempt(normal(url), () => {
            const found = sources.read(normal(url), textOf(normal(url), data as Buffer))
            files.set(normal(url), { value: found })
            return isTable(found) ? forParser(normal(url), found, addresses) : found
          }),
      },
    },
  }).catch((error: Error) => {
    // It ends with all problems, which are those of the files by now.
    if (error.name !== 'JSONParserErrorGroup') throw error
  })
  if (unexpected.length > 0) throw unexpected[0]
  return files
}

type FileInfo = { readonly url: string; readonly data: string | Uint8Array }

/** The root with what the parser asks of it before anything else: a version that it knows, the last being 3.1, texts and `paths`. */
export const accepted = (root: object): object => {
  const { openapi, info, paths = {}, ...others } = root as MutableNode
  return {
    ...others,
    ...('openapi' in root
      ? { openapi: minorVersion(openapi) === 0 ? '3.0.0' : '3.1.0' }
      : { swagger: '2.0' }),
    ...(isTable(info) ? { info: { ...info, version: String(info.version) } } : {}),
    paths,
  }
}

/**
 * A copy for the parser, which follows every `$ref`: also in examples and extensions, so that the copy
 * has none there. Its references name the file that they mean, which is beside this one even below an `$id`. Adds to the addresses.
 */
const forParser = (url: string, value: object, addresses: Set<string>): object => {
  const copy = structuredClone(value)
  const references = referencesIn(url, copy)
  for (const address of references.addresses) addresses.add(address)
  const seen = new Set<object>()
  const visit = (node: object): void => {
    if (seen.has(node)) return
    seen.add(node)
    if (isTable(node) && typeof node.$ref === 'string') {
      const address = references.nodes.get(node)
      if (address === undefined) delete node.$ref
      else node.$ref = address
    }
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) visit(child)
  }
  visit(copy)
  return { ...copy, 'x-mapped': references.mapped.map($ref => ({ $ref })) }
}

/** Reads and parses one file. Throws DocumentError. */
export const readFile = async (url: string, sources: Sources, read: Read): Promise<unknown> =>
  sources.read(url, textOf(url, await read(url)))

/**
 * The objects of a file that refer to files, with their addresses; and the files that the mapping of a discriminator names: nothing else
 * may refer to them.
 */
const referencesIn = (url: string, root: object) => {
  const nodes = new Map<object, string>()
  const mapped: string[] = []
  const addressOf = (reference: string): string | null => {
    // A URN names a schema by its `$id`, and no file.
    const [, scheme = 'file'] = /^([a-z][a-z\d+.-]+):/i.exec(reference) ?? []
    if (reference.startsWith('#') || !/^(?:file|https?)$/i.test(scheme)) return null
    return targetOf(url, reference)?.url ?? null
  }
  const meet = (node: MutableNode): void => {
    const address = typeof node.$ref === 'string' ? addressOf(node.$ref) : null
    if (address !== null) nodes.set(node, address)
  }
  if (isTable(root)) meet(root)
  walkReferences(
    root,
    '',
    ({ node }) => meet(node),
    (node, key) => {
      for (const text of key === 'discriminator' ? Object.values(asNode(asNode(node).mapping)) : []) {
        const isFile = typeof text === 'string' && /\/|\.(?:ya?ml|json)(?:#|$)/i.test(text)
        const address = isFile ? addressOf(text) : null
        if (address !== null) mapped.push(address)
      }
    },
  )
  return { nodes, mapped, addresses: new Set([...nodes.values(), ...mapped]) }
}

const textOf = (url: string, data: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    throw new DocumentError([
      { message: `${shownFile(url)} is not UTF-8 text: save it in that encoding`, place: null },
    ])
  }
}
