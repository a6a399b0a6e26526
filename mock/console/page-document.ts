import { createHash } from 'node:crypto'
import type { MockResponse } from '../engine/mock-response.ts'
import { libraries, libraryPath, scriptPath, stylePaths } from './assets.ts'

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
