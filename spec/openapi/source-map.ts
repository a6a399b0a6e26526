import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import { DocumentError } from '../errors.ts'
import { checkExpansion } from '../json/expansion.ts'
import { asNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { duplicateNames } from '../json/scan.ts'
import { createJsonText, type JsonText } from '../json/source-lines.ts'
import type { Place } from './diagnostic.ts'
import { type Excerpt, excerptOf } from './excerpt.ts'

type File = { readonly document: Document; readonly lines: LineCounter }

/** A JSON file: its value, and the places in its text. */
type JsonFile = { readonly value: () => unknown; readonly text: () => JsonText }

const parsed = (text: string): File => {
  const lines = new LineCounter()
  return { document: parseDocument(text, { lineCounter: lines, uniqueKeys: true, merge: true }), lines }
}

/** The files of a contract, with the line of every place in them. */
export type Sources = {
  /** Parses YAML or JSON (a subset of YAML). Throws DocumentError with the line of a syntax error. */
  readonly read: (url: string, text: string) => unknown
  readonly isRoot: (url: string) => boolean
  /** The place in the files for a pointer into the bundled document, found through `$ref`s from the root file. */
  readonly place: (pointer: Pointer) => Place
  /** The places of all `$ref`s to this target, or to a file that ends with it. */
  readonly references: (target: string) => readonly Place[]
  /** The source lines around a place. */
  readonly excerpt: (pointer: Pointer) => Excerpt
  /** The text of the scalar at a pointer, as it is written; null if there is none. */
  readonly text: (pointer: Pointer) => string | null
}

export const createSources = (root: string): Sources => {
  // Lines are needed late or never, and finding them takes ten times as long as parsing JSON.
  const files = new Map<string, () => File>()
  const plain = new Map<string, JsonFile>()
  const texts = new Map<string, string>()

  const read = (url: string, text: string): unknown => {
    texts.set(normal(url), text)
    const json = plainJson(text)
    if (json !== undefined) {
      // Parsed again, as the bundler modifies its input.
      const value = once((): unknown => JSON.parse(text))
      plain.set(normal(url), { value, text: once(() => createJsonText(text)) })
      files.set(
        normal(url),
        once(() => parsed(text)),
      )
      return json
    }
    const file = parsed(text)
    const { document, lines } = file
    const [error] = document.errors
    if (error !== undefined) {
      const line = lines.linePos(error.pos[0]).line
      const message = `cannot be read: ${error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '')}`
      throw new DocumentError([{ message, place: { file: shownFile(url), line, pointer: '' } }])
    }
    files.set(normal(url), () => file)
    try {
      const value: unknown = document.toJS({ maxAliasCount: 1000 })
      checkExpansion(value)
      return value
    } catch (error) {
      const message = `cannot be read: ${(error as Error).message}`
      throw new DocumentError([{ message, place: { file: shownFile(url), line: 1, pointer: '' } }])
    }
  }

  const find = (pointer: Pointer): { url: string; pointer: Pointer; node: Node | null; key: Node | null } => {
    let url = normal(root)
    let here: Pointer = ''
    let node = follow(files.get(url)?.().document.contents ?? null)
    let key: Node | null = null
    for (const name of steps(pointer)) {
      node = follow(node)
      if (!isCollection(node)) break
      const pair = isMap(node)
        ? node.items.find(item => isScalar(item.key) && String(item.key.value) === name)
        : undefined
      const next = (pair?.value ?? node.get(isMap(node) ? name : Number(name), true) ?? null) as Node | null
      if (next === null) break
      key = (pair?.key as Node | undefined) ?? null
      node = next
      here = step(here, name)
    }
    return { url, pointer: here, node, key }

    function follow(at: Node | null): Node | null {
      let target = at
      for (let hops = 0; hops < 50 && isMap(target) && typeof target.get('$ref') === 'string'; hops++) {
        const [path = '', fragment = ''] = String(target.get('$ref')).split('#')
        const nextUrl = path === '' ? url : normal(new URL(path, asUrl(url)).href)
        const nextNode = files
          .get(nextUrl)?.()
          .document.getIn(steps(decodeURIComponent(fragment)), true) as Node | undefined
        if (nextNode === undefined) return target
        url = nextUrl
        here = decodeURIComponent(fragment)
        target = nextNode
      }
      return target
    }
  }

  /** The fast way, if all files on the way are JSON; null if one is not. */
  const findInJson = (
    pointer: Pointer,
  ): { readonly url: string; readonly text: JsonText; readonly pointer: Pointer } | null => {
    let url = normal(root)
    let here: Pointer = ''
    let value = plain.get(url)?.value()
    if (value === undefined) return null
    for (const name of steps(pointer)) {
      for (let hops = 0; hops < 50 && typeof asNode(value).$ref === 'string'; hops++) {
        const [path = '', fragment = ''] = String(asNode(value).$ref).split('#')
        const nextUrl = path === '' ? url : normal(new URL(path, asUrl(url)).href)
        const file = plain.get(nextUrl)
        if (file === undefined) return null
        const next = valueAt(file.value(), decodeURIComponent(fragment))
        if (next === undefined) break
        url = nextUrl
        here = decodeURIComponent(fragment)
        value = next
      }
      const next = valueAt(value, step('', name))
      if (next === undefined) break
      here = step(here, name)
      value = next
    }
    const text = plain.get(url)?.text()
    return text === undefined ? null : { url, text, pointer: here }
  }

  const locate = (
    pointer: Pointer,
  ): { readonly url: string; readonly line: number; readonly pointer: Pointer } => {
    const json = findInJson(pointer)
    if (json !== null) return { url: json.url, line: json.text.line(json.pointer), pointer: json.pointer }
    const found = find(pointer)
    const offset = (found.key ?? found.node)?.range?.[0] ?? 0
    const line = files.get(found.url)?.().lines.linePos(offset).line ?? 1
    return { url: found.url, line, pointer: found.pointer }
  }

  return {
    read,
    isRoot: url => normal(url) === normal(root),
    place: pointer => {
      const { url, ...found } = locate(pointer)
      return { file: shownFile(url), ...found }
    },
    excerpt: pointer => {
      const { url, line } = locate(pointer)
      return excerptOf(texts.get(url) ?? '', line)
    },
    references: target => {
      const found: Place[] = []
      for (const [url, file] of files) {
        const { document, lines } = file()
        visit(document, {
          Pair: (_, pair, path) => {
            if (!isScalar(pair.key) || pair.key.value !== '$ref' || !isScalar(pair.value)) return
            const [file = '', fragment = ''] = String(pair.value.value).split('#')
            if (
              `#${fragment}` !== target &&
              (file === '' || !target.endsWith(file.replace(/^(\.\.?\/)+/, '')))
            )
              return
            const line = lines.linePos(pair.value.range?.[0] ?? 0).line
            const names = path.flatMap(node =>
              typeof node === 'object' && 'key' in node && isScalar(node.key) ? [String(node.key.value)] : [],
            )
            found.push({ file: shownFile(url), line, pointer: [...names, '$ref'].reduce(step, '') })
          },
        })
      }
      return found
    },
    text: pointer => {
      const json = findInJson(pointer)
      if (json !== null) return isReached(json.pointer, pointer) ? json.text.source(json.pointer) : null
      const { node, pointer: reached } = find(pointer)
      return isScalar(node) && isReached(reached, pointer) ? (node.source ?? null) : null
    },
  }
}

const isReached = (reached: Pointer, pointer: Pointer): boolean =>
  steps(reached).at(-1) === steps(pointer).at(-1)

/** The value of a JSON text without repeated names; undefined for any other text: the YAML parser says what is wrong. */
const plainJson = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return duplicateNames(text).length === 0 ? value : undefined
  } catch {
    return undefined
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const asUrl = (url: string): string => (/^[a-z][a-z+.-]+:/i.test(url) ? url : `file://${url}`)

const normal = (url: string): string => asUrl(url).split('#')[0] ?? url

/** The path of a file that is named by a path or a `file:` URL. */
export const pathOf = (url: string): string => fileURLToPath(asUrl(url))

/** A file below the working directory is shown relative to it. */
export const shownFile = (url: string): string => {
  if (!asUrl(url).startsWith('file:')) return url
  const path = pathOf(url)
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
