import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCollection, isMap, isScalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { DocumentError } from '../errors.ts'
import { asNode } from '../json/follow-refs.ts'
import { memberOf, type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { createJsonText, type JsonText } from '../json/source-lines.ts'
import type { Place, Problem } from './diagnostic.ts'
import { columnIn, createExcerpts, type Excerpt } from './excerpt.ts'
import {
  pairOf,
  parsePlainJson,
  parseYaml,
  repeatedKeys,
  repeatedNames,
  syntaxProblem,
  withFewLines,
  type YamlFile,
  yamlValue,
} from './parse-text.ts'

/** A place in a file as it was read. */
export type Origin = { readonly url: string; readonly pointer: Pointer }

/** A JSON file: its value, and the places in its text. */
type JsonFile = { readonly value: () => unknown; readonly text: () => JsonText }

/** The files of a contract, with the line of every place in them. */
export type Sources = {
  /** Parses YAML or JSON (a subset of YAML). Throws DocumentError with the line of a syntax error. */
  readonly read: (url: string, text: string) => unknown
  /** What is wrong with the texts, though they could be read. */
  readonly problems: () => readonly Problem[]
  /** Whether a word is in one of the texts. */
  readonly mentions: (word: string) => boolean
  /** Says where places of the bundled document come from. Default: from the same place of the root file. */
  readonly relocate: (origin: (pointer: Pointer) => Origin) => void
  /** The place in the files for a pointer into the bundled document, found through `$ref`s. */
  readonly place: (pointer: Pointer) => Place
  /** The place for a pointer into one file. */
  readonly placeIn: (origin: Origin) => Place
  /** The source lines around a place. */
  readonly excerpt: (pointer: Pointer) => Excerpt
  /** The text of the scalar at a pointer, as it is written; null if there is none. */
  readonly text: (pointer: Pointer) => string | null
}

export const createSources = (root: string): Sources => {
  // Lines are needed late or never, and finding them takes ten times as long as parsing JSON.
  const files = new Map<string, () => YamlFile>()
  const plain = new Map<string, JsonFile>()
  const texts = new Map<string, string>()
  const problems: Problem[] = []
  let originOf = (pointer: Pointer): Origin => ({ url: normal(root), pointer })
  const excerpts = new Map<string, ReturnType<typeof createExcerpts>>()

  const read = (url: string, text: string): unknown => {
    const placeAt = (line: number): Place => ({ file: shownFile(url), line, pointer: '' })
    texts.set(normal(url), text)
    const json = parsePlainJson(text)
    if (json !== undefined) {
      for (const { message, line } of repeatedNames(text)) problems.push({ message, place: placeAt(line) })
      // Parsed again, as bundling and checking modify the document.
      const value = once((): unknown => JSON.parse(text))
      plain.set(normal(url), { value, text: once(() => createJsonText(text)) })
      files.set(
        normal(url),
        once(() => parseYaml(text)),
      )
      return json
    }
    const unreadable = (message: string, line: number): DocumentError =>
      new DocumentError([{ message, place: placeAt(line) }])
    const trying = <T>(step: () => T): T => {
      try {
        return step()
      } catch (error) {
        throw unreadable(`cannot be read: ${(error as Error).message}`, 1)
      }
    }
    const file = trying(() => parseYaml(withFewLines(text)))
    const error = syntaxProblem(file)
    if (error !== null) throw unreadable(`cannot be read: ${error.message}`, error.line)
    for (const { message, line } of repeatedKeys(file)) problems.push({ message, place: placeAt(line) })
    files.set(normal(url), () => file)
    return trying(() => yamlValue(file))
  }

  const find = (start: Origin): { url: string; pointer: Pointer; node: Node | null; key: Node | null } => {
    let { url } = start
    let here: Pointer = ''
    let node: Node | null = files.get(url)?.().document.contents ?? null
    let key: Node | null = null
    for (const name of steps(start.pointer)) {
      node = follow(node)
      if (!isCollection(node)) break
      const next = childOf(node, name)
      if (next.value === null) break
      key = next.key
      node = next.value
      here = step(here, name)
    }
    return { url, pointer: here, node, key }

    function follow(at: Node | null): Node | null {
      let target = at
      for (let hops = 0; hops < 50 && isMap(target) && typeof target.get('$ref') === 'string'; hops++) {
        const next = targetOf(url, String(target.get('$ref')))
        const document = next === null ? undefined : files.get(next.url)?.().document
        const nextNode = next === null ? undefined : nodeAt(document?.contents ?? null, next.pointer)
        if (next === null || nextNode == null) return target
        url = next.url
        here = next.pointer
        target = nextNode
      }
      return target
    }
  }

  /** The fast way, if all files on the way are JSON; null if one is not. */
  const findInJson = (
    start: Origin,
  ): { readonly url: string; readonly text: JsonText; readonly pointer: Pointer } | null => {
    let { url } = start
    let here: Pointer = ''
    let value = plain.get(url)?.value()
    if (value === undefined) return null
    for (const name of steps(start.pointer)) {
      for (let hops = 0; hops < 50 && typeof asNode(value).$ref === 'string'; hops++) {
        const target = targetOf(url, String(asNode(value).$ref))
        if (target === null) break
        const file = plain.get(target.url)
        if (file === undefined) return null
        const next = valueAt(file.value(), target.pointer)
        if (next === undefined) break
        url = target.url
        here = target.pointer
        value = next
      }
      const next = memberOf(value, name)
      if (next === undefined) break
      here = step(here, name)
      value = next
    }
    const text = plain.get(url)?.text()
    return text === undefined ? null : { url, text, pointer: here }
  }

  const locate = (start: Origin): Omit<Place, 'file'> & { readonly url: string } => {
    const json = findInJson(start)
    const found = json ?? find(start)
    const offset =
      json === null
        ? (('node' in found ? (found.key ?? found.node) : null)?.range?.[0] ?? 0)
        : json.text.offset(json.pointer)
    const line = json?.text.line(json.pointer) ?? files.get(found.url)?.().lines.linePos(offset).line ?? 1
    // The document as a whole begins where everybody looks.
    const column = found.pointer === '' ? null : columnIn(texts.get(found.url) ?? '', offset)
    return { url: found.url, line, ...(column === null ? {} : { column }), pointer: found.pointer }
  }

  const placeIn = (start: Origin): Place => {
    const { url, ...found } = locate({ ...start, url: normal(start.url) })
    return { file: shownFile(url), ...found }
  }

  return {
    read,
    problems: () => problems,
    mentions: word => texts.values().some(text => text.includes(word)),
    relocate: to => {
      originOf = to
    },
    place: pointer => placeIn(originOf(pointer)),
    placeIn,
    excerpt: pointer => {
      const { url, line, column } = locate(originOf(pointer))
      const read = excerpts.get(url) ?? createExcerpts(texts.get(url) ?? '')
      excerpts.set(url, read)
      return read(line, column)
    },
    text: pointer => {
      const start = originOf(pointer)
      const json = findInJson(start)
      if (json !== null) return isReached(json.pointer, start.pointer) ? json.text.source(json.pointer) : null
      const { node, pointer: reached } = find(start)
      return isScalar(node) && isReached(reached, start.pointer) ? (node.source ?? null) : null
    },
  }
}

const nodeAt = (root: Node | null, pointer: Pointer): Node | null =>
  steps(pointer).reduce<Node | null>(
    (node, name) => (isCollection(node) ? childOf(node, name).value : null),
    root,
  )

const childOf = (
  node: YAMLMap | YAMLSeq,
  name: string,
): { readonly key: Node | null; readonly value: Node | null } => {
  const pair = isMap(node) ? (pairOf(node.items, name) as Pair | undefined) : undefined
  const value = pair?.value ?? node.get(isMap(node) ? name : Number(name), true) ?? null
  return { key: (pair?.key as Node | undefined) ?? null, value: value as Node | null }
}

const isReached = (reached: Pointer, pointer: Pointer): boolean =>
  steps(reached).at(-1) === steps(pointer).at(-1)

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const asUrl = (url: string): string => (/^[a-z][a-z+.-]+:/i.test(url) ? url : `file://${url}`)

export const normal = (url: string): string => asUrl(url).split('#')[0] ?? url

/** What a `$ref` in a file refers to by a pointer; null for what is no address. */
export const targetOf = (url: string, reference: string): Origin | null => {
  const [path = '', fragment = ''] = reference.split('#')
  try {
    return {
      url: path === '' ? url : normal(new URL(path, asUrl(url)).href),
      pointer: decodeURIComponent(fragment),
    }
  } catch {
    return null
  }
}

/** The path of a file that is named by a path or a `file:` URL. */
export const pathOf = (url: string): string => fileURLToPath(asUrl(url))

/** A file below the working directory is shown relative to it. */
export const shownFile = (url: string): string => {
  if (!asUrl(url).startsWith('file:')) return url
  const path = pathOf(url)
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
