/** The page's script: filters, copy buttons, the theme, and opening what a link leads to. */
export const script = `'use strict'
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
