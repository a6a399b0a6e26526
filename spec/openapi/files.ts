import { DocumentError } from '../errors.ts'
import { asNode } from '../json/follow-refs.ts'
import type { Problem } from './diagnostic.ts'
import { normal, type Sources, shownFile } from './source-map.ts'
import { isTable, walkReferences } from './walk-references.ts'

/** The files of a document as they were read: their values, or why one cannot be used. */
export type Files = ReadonlyMap<string, { readonly value: unknown } | { readonly problem: Problem }>

/** The files of a document, whose value is read already, and those that its references name. */
export const readFiles = async (
  root: string,
  value: unknown,
  sources: Sources,
  read: (url: string) => Promise<Uint8Array>,
): Promise<Files> => {
  const files = new Map<string, File>([[normal(root), { value }]])
  const add = async (address: string): Promise<readonly Reference[]> => {
    const url = normal(address)
    const file = await readOne(url, sources, read)
    files.set(url, file)
    return 'value' in file ? referencesToFiles(file.value) : []
  }
  const named = referencesToFiles(value)
  // What is here already needs no parser, which takes a moment to load.
  if (named.length === 0) return files
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
  // The parser follows references from file to file. It sees nothing but them: a `$ref` in an extension or example is none.
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, 'x-references': named }
  await SwaggerParser.resolve(root, document as never, {
    resolve: { file: false, http: false, any: { order: 1, canRead: true, read: () => '' } },
    parse: {
      json: false,
      text: false,
      binary: false,
      yaml: { order: 1, canParse: true, parse: ({ url }: { url: string }) => add(url) },
    },
  })
  return files
}

type File = { readonly value: unknown } | { readonly problem: Problem }

/** Reads and parses one file. Throws DocumentError. */
export const readFile = async (
  url: string,
  sources: Sources,
  read: (url: string) => Promise<Uint8Array>,
): Promise<unknown> => sources.read(url, textOf(url, await read(url)))

const readOne = async (
  url: string,
  sources: Sources,
  read: (url: string) => Promise<Uint8Array>,
): Promise<File> => {
  try {
    return { value: await readFile(url, sources, read) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { problem: error.problems[0] as Problem }
  }
}

type Reference = { readonly $ref: string }

const referencesToFiles = (value: unknown): readonly Reference[] => {
  const named = new Set<string>()
  const add = ($ref: string): void => {
    // A URN names a schema by its `$id`, and no file.
    const [, scheme = 'file'] = /^([a-z][a-z\d+.-]+):/i.exec($ref) ?? []
    if (!$ref.startsWith('#') && /^(?:file|https?)$/i.test(scheme)) named.add($ref.split('#')[0] ?? '')
  }
  if (!isTable(value)) return []
  if (typeof value.$ref === 'string') add(value.$ref)
  walkReferences(
    value,
    '',
    ({ node }) => add(node.$ref),
    (node, key) => {
      // A mapping may name a file that nothing else refers to.
      for (const text of key === 'discriminator' ? Object.values(asNode(asNode(node).mapping)) : [])
        if (typeof text === 'string' && /\/|\.(?:ya?ml|json)(?:#|$)/i.test(text)) add(text)
    },
  )
  return [...named].map($ref => ({ $ref }))
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
