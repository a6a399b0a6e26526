import { html, useEffect, useState, type VNode } from './html.ts'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'plantstore.theme'

/** Light and dark follow the system until a reader chooses. */
export const ThemeButton = (): VNode => {
  const [theme, setTheme] = useState<Theme>(remembered)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const turn = (): void => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
    setTheme(next)
    try {
      localStorage.setItem(key, next)
    } catch {}
  }
  return html`<button type="button" class="quiet" onClick=${turn}>Theme: ${theme}</button>`
}

const remembered = (): Theme => {
  try {
    return themes.find(theme => theme === localStorage.getItem(key)) ?? 'auto'
  } catch {
    return 'auto'
  }
}
