import { createHash } from 'node:crypto'
import type { Composed } from '../compose.ts'
import { libraries, libraryFile, scriptFile, styleFiles } from './assets.ts'

/** The document of the console: all that it shows comes from its script. */
export const shell = (title: string): Composed => ({
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
  body: Buffer.from(text(title)),
})

const imports = JSON.stringify({
  imports: Object.fromEntries(libraries.map(name => [name, `./${libraryFile(name)}`])),
})

const hash = createHash('sha256').update(imports).digest('base64')

// The map of imports is the only script that stands in the document. Nothing is ever written into it as markup.
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

const text = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · mock</title>
<link rel="icon" href="data:,">
${styleFiles.map(file => `<link rel="stylesheet" href="${file}">`).join('\n')}
<script type="importmap">${imports}</script>
<script type="module" src="${scriptFile}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. What it shows is at requests, contract and seen below this path, as JSON.</noscript>
</body>
</html>
`
