import type { Outline } from '../shape.ts'
import { Contract } from './contract.ts'
import { Coverage } from './coverage.ts'
import { useAsked, useLive } from './hooks.ts'
import { html, useEffect, type VNode } from './html.ts'
import { type Panel, panelHash, panels, useRoute } from './route.ts'
import { Scenarios } from './scenarios.ts'
import { ThemeButton } from './theme.ts'
import { Traffic } from './traffic.ts'

const names: Readonly<Record<Panel, string>> = {
  traffic: 'Traffic',
  scenarios: 'Scenarios',
  contract: 'Contract',
  coverage: 'Coverage',
}

export const App = (): VNode => {
  const route = useRoute()
  const live = useLive()
  const { value: outline, problem } = useAsked<Outline>('contract')
  useSearchKey()
  useEffect(() => {
    if (outline !== null) document.title = `${names[route.panel]} · ${outline.title} mock`
  }, [outline, route.panel])
  const broken = live.entries.filter(({ breaches }) => breaches.length > 0).length
  return html`
    <header class="top">
      <a class="skip" href="#panel" onClick=${skip}>Skip to the panel</a>
      <h1>${outline?.title ?? 'Mock'} <small>${outline?.version ?? ''} mock</small></h1>
      <nav aria-label="Panels">
        ${panels.map(
          panel => html`
            <a href=${panelHash(panel)} aria-current=${panel === route.panel ? 'page' : null}>
              ${names[panel]}${
                panel === 'traffic' && broken > 0
                  ? html` <span class="badge">${broken}<span class="unseen"> broke the contract</span></span>`
                  : null
              }
            </a>`,
        )}
      </nav>
      <p class="state ${live.state}" role="status"><span class="dot" aria-hidden="true"></span>${states[live.state]}</p>
      <${ThemeButton} />
    </header>
    <main id="panel" tabindex="-1">
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        route.panel === 'traffic'
          ? html`<${Traffic} live=${live} open=${route.request} outline=${outline} />`
          : outline === null
            ? null
            : route.panel === 'scenarios'
              ? html`<${Scenarios} outline=${outline} open=${route.operation} />`
              : route.panel === 'contract'
                ? html`<${Contract} outline=${outline} open=${route.operation} live=${live} />`
                : html`<${Coverage} outline=${outline} live=${live} />`
      }
    </main>
  `
}

const states = { connecting: 'connecting', live: 'live', lost: 'the mock is gone' } as const

// The address belongs to the panels: a link into the page would be taken for one of them.
const skip = (event: Event): void => {
  event.preventDefault()
  document.getElementById('panel')?.focus()
}

/** `/` goes to the search of the panel, unless something is being written. */
const useSearchKey = (): void => {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { target } = event
      const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null
      if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
      const search = document.querySelector<HTMLInputElement>('input[type=search]')
      if (search === null) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}
