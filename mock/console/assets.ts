import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import type { Composed } from '../compose.ts'
import { ownText } from '../own.ts'

/** From source the page is TypeScript, and types are taken out as it is sent; in the package it is compiled. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const folder = new URL('./page/', import.meta.url)

/** The page's own files that the document names. */
export const scriptFile = `page/main${extension}`
// Each after those that it goes over.
export const styleFiles: readonly string[] = [
  'page/base.css',
  'page/layout.css',
  'page/traffic.css',
  'page/exchange.css',
  'page/contract.css',
  'page/scenarios.css',
  'page/coverage.css',
  'page/narrow.css',
]

/** The libraries of the page, by the names that its modules import them by. */
export const libraries: readonly string[] = ['preact', 'preact/hooks', 'htm', 'htm/preact']
export const libraryFile = (name: string): string => `library/${name.replace('/', '-')}.js`

const kinds: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** A file of the page, by its name in `page/`. */
export const pageFile = (name: string): Composed => {
  const kind = name.slice(name.lastIndexOf('.'))
  const isOurs = (kind === extension || kind === '.css') && readdirSync(folder).includes(name)
  if (!isOurs) return ownText(404, 'the console has no such file')
  const text = readFileSync(new URL(name, folder), 'utf8')
  return fileOf(kind, kind === '.ts' ? stripped(text) : text)
}

/** A library, by the name of its file. */
export const libraryText = (file: string): Composed => {
  const name = libraries.find(own => libraryFile(own) === `library/${file}`)
  if (name === undefined) return ownText(404, 'the console has no such library')
  return fileOf('.js', readFileSync(libraryPath(name), 'utf8'))
}

const require = createRequire(import.meta.url)

// Of the two forms that htm is published in, `require` is given the one that a browser cannot read.
const libraryPath = (name: string): string => require.resolve(name).replace(/\.js$/, '.mjs')

const fileOf = (kind: string, text: string): Composed => ({
  status: 200,
  headers: [
    ['Content-Type', kinds[kind] ?? 'text/plain'],
    ['Cache-Control', 'no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ],
  body: Buffer.from(text),
})

// Who opens the console from a checkout is not the one to be told that Node calls this an experiment.
const stripped = (text: string): string => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}
