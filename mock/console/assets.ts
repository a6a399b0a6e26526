import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { textResponse } from '../admin/routes.ts'
import type { MockResponse } from '../engine/compiled-response.ts'

/** In a checkout the page is TypeScript, and its types are stripped as it is served; the package holds it compiled. */
const scriptExtension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const folder = new URL('./page/', import.meta.url)

/** The files that the document refers to, relative to it. */
const scriptPath = `page/main${scriptExtension}`
// In the order of the cascade.
const stylePaths: readonly string[] = [
  'colors',
  'elements',
  'controls',
  'prose',
  'layout',
  'header',
  'traffic',
  'exchange',
  'contract',
  'try-form',
  'scenarios',
  'coverage',
  'narrow',
].map(name => `page/styles/${name}.css`)

/** The libraries of the page, by the names under which its modules import them. */
const libraries: readonly string[] = ['preact', 'preact/hooks', 'htm', 'htm/preact', 'marked']
const libraryPath = (name: string): string => `library/${name.replace('/', '-')}.js`

const mediaTypes: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** A file of the page, by its path in `page/`. */
export const pageFile = (path: string): MockResponse => {
  const extension = path.slice(path.lastIndexOf('.'))
  const isServed = (extension === scriptExtension || extension === '.css') && pagePaths().includes(path)
  if (!isServed) return textResponse(404, 'the console has no such file')
  const text = readFileSync(new URL(path, folder), 'utf8')
  return fileResponse(extension, extension === '.ts' ? withoutTypes(text) : text)
}

/** A library, by its file name. */
export const libraryFile = (file: string): MockResponse => {
  const name = libraries.find(library => libraryPath(library) === `library/${file}`)
  if (name === undefined) return textResponse(404, 'the console has no such library')
  return fileResponse('.js', readFileSync(modulePath(name), 'utf8'))
}

const pagePaths = (): readonly string[] =>
  readdirSync(folder, { recursive: true }).map(path => String(path).replaceAll('\\', '/'))

// The ES modules, which a browser can load; htm is published as CommonJS as well.
const modulePath = (name: string): URL => new URL(import.meta.resolve(name))

const fileResponse = (extension: string, text: string): MockResponse => ({
  status: 200,
  headers: [
    ['Content-Type', mediaTypes[extension] ?? 'text/plain'],
    ['Cache-Control', 'no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ],
  body: Buffer.from(text),
})

// Node warns that stripping types is experimental, which is of no interest to someone who opens the console.
const withoutTypes = (text: string): string => {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The HTML document of the console. Its script fills it. */
export const pageDocument = (title: string, kind: 'mock' | 'proxy'): MockResponse => ({
  status: 200,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Cache-Control', 'no-cache'],
  ],
  body: Buffer.from(markup(`${title} ${kind}`)),
})

const importMap = JSON.stringify({
  imports: Object.fromEntries(libraries.map(name => [name, `./${libraryPath(name)}`])),
})

const hash = createHash('sha256').update(importMap).digest('base64')

// The import map is the only inline script. Nothing is ever inserted into the document as markup.
const policy = [
  `default-src 'none'`,
  `script-src 'self' 'sha256-${hash}'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ')

const escaped = (text: string): string => text.replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

const markup = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${stylePaths.map(path => `<link rel="stylesheet" href="${path}">`).join('\n')}
<script type="importmap">${importMap}</script>
<script type="module" src="${scriptPath}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The same data is available as JSON at requests, contract and coverage below this path.</noscript>
</body>
</html>
`
