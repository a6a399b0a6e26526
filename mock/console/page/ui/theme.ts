import { html, useEffect, useState, type VNode } from './html.ts'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const storageKey = 'plantstore.theme'

/** Cycles through the themes; `auto` follows the system. */
export const ThemeButton = (): VNode => {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  const nextTheme = (): void => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
    setTheme(next)
    try {
      localStorage.setItem(storageKey, next)
    } catch {}
  }
  return html`<button type="button" class="quiet" onClick=${nextTheme}>Theme: ${theme}</button>`
}

const storedTheme = (): Theme => {
  try {
    return themes.find(theme => theme === localStorage.getItem(storageKey)) ?? 'auto'
  } catch {
    return 'auto'
  }
}
