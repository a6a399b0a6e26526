import { createHash } from 'node:crypto'
import { html, type Markup, trusted } from './markup.ts'
import { style } from './style.ts'

/** The page's script: filters, copy buttons, the theme, and opening what a link leads to. */
const script = `'use strict'
{
  const root = document.documentElement
  root.classList.add('js')
  const all = (selector, from = document) => [...from.querySelectorAll(selector)]

  const themes = ['auto', 'light', 'dark']
  const button = document.getElementById('theme')
  const setTheme = theme => {
    if (theme === 'auto') delete root.dataset.theme
    else root.dataset.theme = theme
    button.textContent = 'Theme: ' + theme
  }
  const remembered = () => {
    try { return localStorage.getItem('plantstore-theme') } catch { return null }
  }
  setTheme(themes.includes(remembered()) ? remembered() : 'auto')
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? 'auto') + 1) % themes.length]
    setTheme(next)
    try { localStorage.setItem('plantstore-theme', next) } catch {}
  })

  const form = document.querySelector('.filter')
  const query = document.getElementById('query')
  const shown = document.getElementById('shown')
  const boxes = all('input[name=status]', form)
  const word = text => text.toLowerCase().replaceAll(' ', '_')
  const parser = document.createElement('textarea')
  const decoded = text => {
    if (!text.includes('&')) return text
    parser.innerHTML = text
    return parser.value
  }

  // A browser that runs scripts keeps the content of a noscript as one text; it becomes elements when it is looked at.
  const unfold = from => { for (const each of all('noscript', from)) each.outerHTML = each.textContent }
  document.addEventListener('toggle', event => { if (event.target.open) unfold(event.target) }, true)

  const folded = document.querySelector('#requirements-table noscript')
  const groups = []
  const rows = []
  for (const part of folded.textContent.split('<tbody').slice(1)) {
    const inner = part.slice(part.indexOf('>') + 1, part.indexOf('</tbody>'))
    if (part.startsWith(' class="head"')) {
      groups.push({ head: inner, hits: [] })
      continue
    }
    const group = groups.at(-1)
    const operation = word(decoded(/^ data-operation="([^"]*)"/.exec(part)[1]))
    for (const markup of inner.split('</tr>\\n').slice(0, -1)) {
      const [, id, status, family, level] = /<tr id="([^"]*)" data-status="([^"]*)" data-family="([^"]*)" data-level="([^"]*)"/.exec(markup)
      rows.push({ id: decoded(id), markup, group, status, tags: ['verdict:' + status, 'operation:' + operation, 'family:' + family, 'level:' + word(level)] })
    }
  }
  const byId = new Map(rows.map(row => [row.id, row]))
  const textOf = row => row.text ??= decoded(row.markup.replace(/<[^>]*>/g, ' ')).toLowerCase()
  folded.outerHTML = folded.textContent.split('<tbody')[0] + '</table>'
  const table = document.querySelector('.obligations')

  // A few rows are all there at once, so that the browser's own search finds them; many are made when they come into view.
  const fill = block => {
    if (block.waiting === undefined) return
    block.innerHTML = block.waiting.map(row => row.markup + '</tr>').join('')
    block.waiting = undefined
    block.style.minHeight = ''
    coming.unobserve(block)
  }
  const coming = new IntersectionObserver(entries => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) fill(target)
  }, { rootMargin: '1200px' })
  const lay = few => {
    coming.disconnect()
    for (const old of all('tbody', table)) old.remove()
    const bodies = []
    for (const { head, hits } of groups) {
      if (hits.length === 0) continue
      const title = document.createElement('tbody')
      title.className = 'head'
      title.innerHTML = head
      bodies.push(title)
      for (let at = 0; at < hits.length; at += 25) {
        const block = document.createElement('tbody')
        block.waiting = hits.slice(at, at + 25)
        for (const row of block.waiting) row.block = block
        block.style.minHeight = block.waiting.length * 68 + 'px'
        bodies.push(block)
      }
    }
    table.append(...bodies)
    for (const block of bodies) {
      if (few) fill(block)
      else if (block.waiting !== undefined) coming.observe(block)
    }
  }
  addEventListener('beforeprint', () => {
    for (const block of all('tbody', table)) fill(block)
    unfold(document)
  })

  const tag = /^(verdict|operation|family|level):/
  const filter = () => {
    const chosen = new Set(boxes.filter(box => box.checked).map(box => box.value))
    const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    for (const group of groups) group.hits = []
    for (const row of rows) {
      row.block = null
      if (!chosen.has(row.status)) continue
      if (!words.every(part => tag.test(part) ? row.tags.includes(part) : textOf(row).includes(part))) continue
      row.group.hits.push(row)
      count += 1
    }
    lay(count <= 1000)
    shown.textContent = count + ' of ' + rows.length + ' shown'
  }
  const search = text => {
    for (const box of boxes) box.checked = true
    query.value = text
    filter()
  }
  query.addEventListener('input', filter)
  form.addEventListener('change', filter)
  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('reset', () => setTimeout(filter))
  for (const link of all('[data-query]')) link.addEventListener('click', () => search(link.dataset.query))

  const reveal = () => {
    let id = location.hash.slice(1)
    try { id = decodeURIComponent(id) } catch {}
    const row = byId.get(id)
    if (row !== undefined) {
      if (row.block === null) search('')
      fill(row.block)
    }
    const target = id === '' ? null : document.getElementById(id)
    if (target === null) return
    for (const box of [...all('details', target), target.closest('details')]) if (box !== null && target.matches('article, tr, details')) box.open = true
    for (const marked of all('.here')) marked.classList.remove('here')
    if (target.matches('article, tr, .clause-row')) target.classList.add('here')
    target.scrollIntoView()
  }
  addEventListener('hashchange', reveal)

  const copied = async text => {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      const area = document.createElement('textarea')
      area.value = text
      document.body.append(area)
      area.select()
      const done = document.execCommand('copy')
      area.remove()
      return done
    }
  }
  for (const copy of all('.copy')) {
    copy.addEventListener('click', async () => {
      const done = await copied(copy.parentElement.querySelector('code').textContent)
      copy.focus()
      copy.textContent = done ? 'Copied' : 'Select and copy'
      setTimeout(() => { copy.textContent = 'Copy' }, 1500)
    })
  }

  filter()
  reveal()
}
`

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
