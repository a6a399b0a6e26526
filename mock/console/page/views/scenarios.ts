import type { ContractSummary, OperationSummary } from '../../messages.ts'
import type { Scenario, ScenarioState } from '../../scenario-messages.ts'
import { callMock } from '../state/api.ts'
import { saveFile, useTabValue } from '../state/hooks.ts'
import { panelHash } from '../state/route.ts'
import { html, useEffect, useRef, useState, type VNode } from '../ui/html.ts'
import { Method } from '../ui/method.ts'
import { matchingOperations, OperationSearch } from '../ui/operation-search.ts'
import { ScenarioForm } from './scenario-form.ts'
import { allOperations, presetsOf, scenariosText } from './scenario-text.ts'

type Props = {
  readonly contract: ContractSummary
  /** The id of the operation whose form is open. */
  readonly open: string | null
}

const maxShown = 100

/** Switches the scenarios of operations on and off, for all clients or for one. */
export const ScenariosPanel = ({ contract, open }: Props): VNode => {
  const [client, setClient] = useTabValue('client', '')
  const [query, setQuery] = useState('')
  const [state, setState] = useState<ScenarioState | null>(null)
  const [problem, setProblem] = useState('')
  // Responses can arrive in another order than their calls: only that to the latest call is shown.
  const calls = useRef(0)
  const call = async (path: string, method = 'GET', body?: unknown, json?: string): Promise<void> => {
    calls.current += 1
    const number = calls.current
    const show = (next: ScenarioState | null, problem: string): void => {
      if (number !== calls.current) return
      if (next !== null) setState(next)
      setProblem(problem)
    }
    try {
      show(
        await callMock<ScenarioState>(path, {
          method,
          body,
          client,
          ...(json === undefined ? {} : { json }),
        }),
        '',
      )
    } catch (error) {
      show(null, (error as Error).message)
    }
  }
  useEffect(() => void call('scenarios'), [client])
  const file = useRef<HTMLInputElement>(null)
  const load = async (): Promise<void> => {
    const [chosen] = file.current?.files ?? []
    if (chosen !== undefined) await call('sets', 'PUT', undefined, await chosen.text())
    // The same file can be chosen again.
    if (file.current !== null) file.current.value = ''
  }
  const save = (): void =>
    void saveFile('sets', 'scenarios.json', client).catch((error: Error) => setProblem(error.message))
  const { operations } = contract
  const found = matchingOperations(operations.length > 1 ? [allOperations, ...operations] : operations, query)
  const isAnyOn = Object.keys(state?.operations ?? {}).length > 0
  return html`
    <div class="page">
      <header class="title">
        <h2>Scenarios</h2>
        <p>Make the mock fail, slow down or misbehave until you switch it off. The traffic marks the responses that a scenario changed.</p>
      </header>
      ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
      <div class="bar">
        <label>Client <input type="text" class="mono" placeholder="all clients" value=${client} autocomplete="off" spellcheck="false"
          onChange=${(event: Event) => setClient((event.target as HTMLInputElement).value.trim())} /></label>
        <span class="muted">${client === '' ? 'applies to all requests' : html`applies to requests with <code>Plantstore-Client: ${client}</code>`}</span>
        <span class="spacer"></span>
        <span class="buttons">
        <button type="button" disabled=${!isAnyOn} onClick=${save}>Save as file</button>
        <button type="button" onClick=${() => file.current?.click()}>Load a file</button>
        <input type="file" hidden accept=".json,application/json" aria-label="Scenario file" ref=${file} onChange=${load} />
        <button type="button" disabled=${!isAnyOn} onClick=${() => void call('scenarios', 'DELETE')}>Switch all off</button>
        </span>
      </div>
      ${
        (state?.sets.length ?? 0) === 0
          ? null
          : html`<div class="bar" role="group" aria-label="Scenario sets"><span>Sets</span>${state?.sets.map(
              name => html`<button type="button" aria-pressed=${name === state.set ? 'true' : 'false'}
                onClick=${() => void call(`sets/${encodeURIComponent(name)}`, 'POST')}>${name}</button>`,
            )}</div>`
      }
      <div class="filter"><${OperationSearch} operations=${operations} query=${query} onQuery=${setQuery} /></div>
      ${
        state === null
          ? null
          : found.slice(0, maxShown).map(
              operation => html`<${ScenarioSwitch} key=${`${client} ${operation.id}`} operation=${operation} scenarios=${[state.operations[operation.id] ?? []].flat()}
                initiallyOpen=${operation.id === open} onCall=${call} />`,
            )
      }
      ${found.length > maxShown ? html`<p class="muted">${found.length - maxShown} more: narrow the search to see them</p>` : null}
    </div>`
}

type SwitchProps = {
  readonly operation: OperationSummary
  readonly scenarios: readonly Scenario[]
  readonly initiallyOpen: boolean
  readonly onCall: (path: string, method: string, body?: unknown) => Promise<void>
}

const ScenarioSwitch = ({ operation, scenarios, initiallyOpen, onCall }: SwitchProps): VNode => {
  const { id, method, path } = operation
  const isOn = scenarios.length > 0
  // The form and the buttons are for one.
  const scenario = scenarios.length === 1 ? scenarios[0] : undefined
  const [isOpen, setOpen] = useState(initiallyOpen)
  const resource = `scenarios/${encodeURIComponent(id)}`
  const switchOn = (scenario: Scenario): void => void onCall(resource, 'PUT', scenario)
  const switchOff = (): void => void onCall(resource, 'DELETE')
  return html`
    <section class="switch ${isOn ? 'on' : ''}" aria-label=${id}>
      <h3>${method === '' ? null : html`<${Method} name=${method} />`} ${operation === allOperations ? path : html`<a class="target" href=${panelHash('contract', id)}>${path}</a>`}</h3>
      <p class="scenario-text" role="status">${isOn ? html`<b>on</b> ${scenariosText(scenarios)}` : 'follows the contract'}</p>
      <div class="buttons">
        ${presetsOf(operation).map(
          ([name, preset]) => html`
            <button type="button" aria-pressed=${isSame(scenario, preset) ? 'true' : 'false'}
              onClick=${() => (isSame(scenario, preset) ? switchOff() : switchOn(preset))}>${name}</button>`,
        )}
        <button type="button" class="quiet" aria-expanded=${isOpen ? 'true' : 'false'} onClick=${() => setOpen(!isOpen)}>More…</button>
        ${isOn ? html`<button type="button" onClick=${switchOff}>Switch off</button>` : null}
      </div>
      ${isOpen ? html`<${ScenarioForm} key=${JSON.stringify(scenario)} operation=${operation} scenario=${scenario ?? {}} onSave=${switchOn} />` : null}
    </section>`
}

const isSame = (left: Scenario | undefined, right: Scenario): boolean =>
  left !== undefined && sortedJson(left) === sortedJson(right)

const sortedJson = (scenario: Scenario): string => JSON.stringify(Object.entries(scenario).sort())
