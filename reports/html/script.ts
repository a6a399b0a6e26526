/** What the page does beyond being read: filter, copy, theme, and opening what a link leads to. */
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
  const boxes = all('input[name=standing]', form)
  const word = text => text.toLowerCase().replaceAll(' ', '_')
  const rows = all('tr[data-standing]').map(row => ({
    row,
    standing: row.dataset.standing,
    tags: new Set(['verdict:' + row.dataset.standing, 'operation:' + word(row.dataset.operation), 'family:' + row.dataset.family, 'level:' + word(row.dataset.level)]),
  }))
  const groups = all('.obligations tbody')
  const tag = /^(verdict|operation|family|level):/
  // Read when it is first searched: of many thousand rows that takes a moment.
  const textOf = each => each.text ??= each.row.textContent.toLowerCase()
  const filter = () => {
    const standings = new Set(boxes.filter(box => box.checked).map(box => box.value))
    const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    for (const each of rows) {
      const { row, standing, tags } = each
      const hit = standings.has(standing) && words.every(part => tag.test(part) ? tags.has(part) : textOf(each).includes(part))
      if (row.hidden === hit) row.hidden = !hit
      if (hit) count += 1
    }
    let head = null
    for (const group of groups) {
      if (group.matches('.head')) head = group
      else group.hidden = !group.querySelector('tr[data-standing]:not([hidden])')
      if (head === group) head.hidden = true
      else if (!group.hidden) head.hidden = false
    }
    shown.textContent = count + ' of ' + rows.length + ' shown'
  }
  const ask = text => {
    for (const box of boxes) box.checked = true
    query.value = text
    filter()
  }
  query.addEventListener('input', filter)
  form.addEventListener('change', filter)
  form.addEventListener('submit', event => event.preventDefault())
  form.addEventListener('reset', () => setTimeout(filter))
  for (const link of all('[data-query]')) link.addEventListener('click', () => ask(link.dataset.query))

  const reveal = () => {
    let id = location.hash.slice(1)
    try { id = decodeURIComponent(id) } catch {}
    const target = id === '' ? null : document.getElementById(id)
    if (target === null) return
    if (target.matches('tr[hidden]')) ask('')
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
