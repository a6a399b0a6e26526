import { createHash } from 'node:crypto'
import { html, type Markup, trusted } from './markup.ts'
import { script } from './script.ts'
import { style } from './style.ts'

/**
 * A whole document with the style and the script of all reports, which asks the network for nothing. The parts of its body are made
 * one after the other, when they are written.
 */
export function* htmlDocument(title: string, body: Iterable<Markup>): Generator<string> {
  yield '<!doctype html>\n'
  yield html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
`.markup
  for (const { markup } of body) yield markup
  yield html`
<script>${trusted(script)}</script>
</body>
</html>
`.markup
}

const leaf = trusted(
  '<svg class="leaf" viewBox="0 0 16 16" aria-hidden="true"><path d="M14 2C7 2 2.5 5 2.5 10c0 1 .2 1.9.5 2.6C4.600 9 7 7 10.500 5.800 7.700 7.600 5.400 10 4.200 14l1.300.3c.2-.6.4-1.200.6-1.700C12 13.500 14.500 8.500 14 2z"/></svg>',
)

export const brand = html`<span class="brand">${leaf}plantstore</span>`

export const themeButton = html`<button type="button" id="theme" class="plain js-only">Theme: auto</button>`

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = trusted(
  `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; img-src data:; base-uri 'none'; form-action 'none'`,
)
