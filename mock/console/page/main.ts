import type { ContractSummary } from '../messages.ts'
import { useResource, useTraffic } from './state/hooks.ts'
import { type Panel, panelHash, panels, useRoute } from './state/route.ts'
import { followTraffic } from './state/traffic.ts'
import { html, render, useEffect, type VNode } from './ui/html.ts'
import { ThemeButton } from './ui/theme.ts'
import { ContractPanel } from './views/contract.ts'
import { CoveragePanel } from './views/coverage.ts'
import { DataPanel } from './views/data.ts'
import { ScenariosPanel } from './views/scenarios.ts'
import { TrafficPanel } from './views/traffic.ts'

const names: Readonly<Record<Panel, string>> = {
  traffic: 'Traffic',
  scenarios: 'Scenarios',
  data: 'Data',
  contract: 'Contract',
  coverage: 'Coverage',
}

const App = (): VNode => {
  const route = useRoute()
  const traffic = useTraffic()
  const { value: contract, problem } = useResource<ContractSummary>('contract')
  useSearchKey()
  useEffect(() => {
    if (contract !== null) document.title = `${names[route.panel]} · ${contract.title} ${contract.kind}`
  }, [contract, route.panel])
  const invalid = traffic.entries.filter(({ violations }) => violations.length > 0).length
  return html`
    <header class="top-bar">
      <a class="skip-link" href="#panel" onClick=${skipToPanel}>Skip to content</a>
      <h1>${contract?.title ?? ''} <small>${contract?.version ?? ''} ${contract?.kind ?? ''}</small></h1>
      <nav aria-label="Panels">
        ${panels
          .filter(panel => panel !== 'scenarios' || contract?.answers !== false)
          .filter(panel => panel !== 'data' || contract?.keeps === true)
          .map(
            panel => html`
            <a href=${panelHash(panel)} aria-current=${panel === route.panel ? 'page' : null}>
              ${names[panel]}${
                panel === 'traffic' && invalid > 0
                  ? html` <span class="badge">${invalid}<span class="visually-hidden"> with violations</span></span>`
                  : null
              }
            </a>`,
          )}
      </nav>
      <p class="connection ${traffic.connection}" role="status"><span class="dot" aria-hidden="true"></span>${traffic.connection === 'lost' ? `${contract?.kind ?? 'mock'} unreachable` : traffic.connection}</p>
      <${ThemeButton} />
    </header>
    <main id="panel" tabindex="-1">
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        route.panel === 'traffic'
          ? html`<${TrafficPanel} traffic=${traffic} open=${route.request} contract=${contract} />`
          : contract === null
            ? null
            : route.panel === 'scenarios'
              ? html`<${ScenariosPanel} contract=${contract} open=${route.operation} />`
              : route.panel === 'data'
                ? html`<${DataPanel} open=${route.operation} />`
                : route.panel === 'contract'
                  ? html`<${ContractPanel} contract=${contract} open=${route.operation} traffic=${traffic} />`
                  : html`<${CoveragePanel} contract=${contract} traffic=${traffic} />`
      }
    </main>
  `
}

// The address names the panel: following the link would change it.
const skipToPanel = (event: Event): void => {
  event.preventDefault()
  document.getElementById('panel')?.focus()
}

/** `/` focuses the panel's search, unless the user is typing. */
const useSearchKey = (): void => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      const isTyping = target instanceof Element && target.closest('input, textarea, select') !== null
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const search = document.querySelector<HTMLInputElement>('input[type=search]')
      if (search === null) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const root = document.getElementById('console')
if (root !== null) {
  followTraffic()
  render(html`<${App} />`, root)
}
