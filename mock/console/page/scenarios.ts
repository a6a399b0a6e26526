import type { OperationLine, Outline, Scenario, ScenarioState } from '../shape.ts'
import { ask } from './api.ts'
import { useKept } from './hooks.ts'
import { html, useEffect, useState, type VNode } from './html.ts'
import { panelHash } from './route.ts'
import { ScenarioForm } from './scenario-form.ts'
import { allOperations, presetsOf, scenarioWords } from './scenario-words.ts'
import { matching, OperationSearch } from './search.ts'

type Props = { readonly outline: Outline; readonly open: string | null }

const mostShown = 100

/** Switches for what operations do otherwise, for everybody or for one client. */
export const Scenarios = ({ outline, open }: Props): VNode => {
  const [client, setClient] = useKept('client', '')
  const [words, setWords] = useState('')
  const [state, setState] = useState<ScenarioState | null>(null)
  const [problem, setProblem] = useState('')
  const change = async (path: string, method = 'GET', body?: unknown): Promise<void> => {
    try {
      setState(await ask<ScenarioState>(path, { method, body, client }))
      setProblem('')
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  useEffect(() => void change('scenarios'), [client])
  const lines = outline.operations.length > 1 ? [allOperations, ...outline.operations] : outline.operations
  const found = matching(lines, words)
  const isOn = Object.keys(state?.operations ?? {}).length > 0
  return html`
    <div class="page">
      <header class="told">
        <h2>Scenarios</h2>
        <p>What the mock does otherwise, until it is switched off. Answers that come of one are marked in the traffic.</p>
      </header>
      ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
      <div class="bar">
        <label>For <input type="text" class="mono" placeholder="every client" value=${client} autocomplete="off" spellcheck="false"
          onChange=${(event: Event) => setClient((event.target as HTMLInputElement).value.trim())} /></label>
        <span class="soft">${client === '' ? 'all requests' : html`requests with <code>Plantstore-Client: ${client}</code>`}</span>
        <span class="spring"></span>
        <button type="button" disabled=${!isOn} onClick=${() => void change('scenarios', 'DELETE')}>Switch all off</button>
      </div>
      ${
        (state?.sets.length ?? 0) === 0
          ? null
          : html`<div class="bar" role="group" aria-label="Sets of scenarios"><span>Sets</span>${state?.sets.map(
              name => html`<button type="button" aria-pressed=${name === state.set ? 'true' : 'false'}
                onClick=${() => void change(`sets/${encodeURIComponent(name)}`, 'POST')}>${name}</button>`,
            )}</div>`
      }
      <div class="filter"><${OperationSearch} operations=${outline.operations} words=${words} onWords=${setWords} /></div>
      ${
        state === null
          ? null
          : found.slice(0, mostShown).map(
              line => html`<${OperationSwitch} key=${`${client} ${line.id}`} line=${line} scenario=${state.operations[line.id]}
                open=${line.id === open} onChange=${change} />`,
            )
      }
      ${found.length > mostShown ? html`<p class="soft">and ${found.length - mostShown} more: search for them</p>` : null}
    </div>`
}

type SwitchProps = {
  readonly line: OperationLine
  readonly scenario: Scenario | undefined
  readonly open: boolean
  readonly onChange: (path: string, method: string, body?: unknown) => Promise<void>
}

const OperationSwitch = ({ line, scenario, open, onChange }: SwitchProps): VNode => {
  const { id, method, path } = line
  const at = `scenarios/${encodeURIComponent(id)}`
  const put = (next: Scenario): void => void onChange(at, 'PUT', next)
  const [isOpen, setOpen] = useState(open)
  return html`
    <section class="switch ${scenario === undefined ? '' : 'on'}" aria-label=${id}>
      <h3>${method === '' ? null : html`<b class="method">${method}</b>`} ${line === allOperations ? path : html`<a class="target" href=${panelHash('contract', id)}>${path}</a>`}</h3>
      <p class="now" role="status">${scenario === undefined ? 'as the contract has it' : html`<b>on</b> ${scenarioWords(scenario)}`}</p>
      <div class="buttons">
        ${presetsOf(line).map(
          ([name, preset]) => html`
            <button type="button" aria-pressed=${same(scenario, preset) ? 'true' : 'false'}
              onClick=${() => (same(scenario, preset) ? void onChange(at, 'DELETE') : put(preset))}>${name}</button>`,
        )}
        <button type="button" class="quiet" aria-expanded=${isOpen ? 'true' : 'false'} onClick=${() => setOpen(!isOpen)}>More…</button>
        ${scenario === undefined ? null : html`<button type="button" class="off" onClick=${() => void onChange(at, 'DELETE')}>Switch off</button>`}
      </div>
      ${isOpen ? html`<${ScenarioForm} key=${JSON.stringify(scenario)} line=${line} scenario=${scenario ?? {}} onSave=${put} />` : null}
    </section>`
}

const same = (left: Scenario | undefined, right: Scenario): boolean =>
  left !== undefined && sorted(left) === sorted(right)

const sorted = (scenario: Scenario): string => JSON.stringify(Object.entries(scenario).sort())
