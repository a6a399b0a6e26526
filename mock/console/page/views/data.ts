import type { CollectionSummary } from '../../messages.ts'
import { callMock, callMockText } from '../state/api.ts'
import { saveFile, useTabValue } from '../state/hooks.ts'
import { replaceHash } from '../state/route.ts'
import { html, useEffect, useRef, useState, type VNode } from '../ui/html.ts'

type Props = {
  /** The path of the collection that is open. */
  readonly open: string | null
}

/** Shows what the mock keeps, for all clients or for one, and changes it; the contract judges each change. */
export const DataPanel = ({ open }: Props): VNode => {
  const [client, setClient] = useTabValue('client', '')
  const [collections, setCollections] = useState<readonly CollectionSummary[] | null>(null)
  const [problem, setProblem] = useState('')
  const [version, setVersion] = useState(0)
  const file = useRef<HTMLInputElement>(null)
  const reload = (): void => setVersion(before => before + 1)
  useEffect(() => {
    let isStale = false
    callMock<readonly CollectionSummary[]>('collections', { client }).then(
      found => isStale || setCollections(found),
      (error: Error) => isStale || setProblem(error.message),
    )
    return () => {
      isStale = true
    }
  }, [client, version])
  const change = async (method: string, json?: string): Promise<void> => {
    try {
      await callMockText('state', { method, client, ...(json === undefined ? {} : { json }) })
      setProblem('')
    } catch (error) {
      setProblem((error as Error).message)
    }
    reload()
  }
  const load = async (): Promise<void> => {
    const [chosen] = file.current?.files ?? []
    if (chosen !== undefined) await change('PUT', await chosen.text())
    // The same file can be chosen again.
    if (file.current !== null) file.current.value = ''
  }
  const save = (): void =>
    void saveFile('state', 'state.json', client).catch((error: Error) => setProblem(error.message))
  return html`
    <div class="page">
      <header class="title">
        <h2>Data</h2>
        <p>What the mock keeps. Change it as a request would: the contract judges what you save.</p>
      </header>
      ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
      <div class="bar">
        <label>Client <input type="text" class="mono" placeholder="all others" value=${client} autocomplete="off" spellcheck="false"
          onChange=${(event: Event) => setClient((event.target as HTMLInputElement).value.trim())} /></label>
        <span class="muted">${client === '' ? 'data of clients without a name' : html`data of <code>Plantstore-Client: ${client}</code>`}</span>
        <span class="spacer"></span>
        <span class="buttons">
          <button type="button" onClick=${save}>Save as file</button>
          <button type="button" onClick=${() => file.current?.click()}>Load a file</button>
          <input type="file" hidden accept=".json,application/json" aria-label="Data file" ref=${file} onChange=${load} />
          <button type="button" onClick=${() => void change('DELETE')}>Reset</button>
          <button type="button" class="quiet" onClick=${reload}>Refresh</button>
        </span>
      </div>
      ${collections?.length === 0 ? html`<p class="muted">The contract has no collection that the mock could keep.</p>` : null}
      ${collections?.map(
        collection => html`<${Collection} key=${`${client} ${version} ${collection.path}`} collection=${collection} client=${client}
          initiallyOpen=${collection.path === open} onSaved=${reload} />`,
      )}
    </div>`
}

type CollectionProps = {
  readonly collection: CollectionSummary
  readonly client: string
  readonly initiallyOpen: boolean
  readonly onSaved: () => void
}

const Collection = ({ collection, client, initiallyOpen, onSaved }: CollectionProps): VNode => {
  const { path, count } = collection
  const [isOpen, setOpen] = useState(initiallyOpen)
  const [text, setText] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const resource = `state/${encodeURIComponent(path)}`
  const show = (): void =>
    void callMockText(resource, { client }).then(setText, (error: Error) => setProblem(error.message))
  useEffect(() => {
    if (isOpen) show()
  }, [isOpen])
  const toggle = (): void => {
    replaceHash(isOpen ? '#data' : `#data/${encodeURIComponent(path)}`)
    setOpen(!isOpen)
  }
  const save = (): void =>
    void callMockText(resource, { method: 'PUT', client, json: text ?? '' }).then(onSaved, (error: Error) =>
      setProblem(error.message),
    )
  const label = `Resources of ${path}`
  return html`
    <section class="switch" aria-label=${path}>
      <h3><code>${path}</code></h3>
      <p class="scenario-text">${count === null ? 'made up when it is first asked for' : `${count} ${count === 1 ? 'resource' : 'resources'}`}</p>
      <div class="buttons">
        <button type="button" aria-expanded=${isOpen ? 'true' : 'false'} onClick=${toggle}>${isOpen ? 'Close' : 'Edit'}</button>
      </div>
      ${
        isOpen && text !== null
          ? html`
        <label class="data-text">${label}
          <textarea class="mono" rows=${Math.min(24, Math.max(6, text.split('\n').length))} spellcheck="false" value=${text}
            onInput=${(event: Event) => setText((event.target as HTMLTextAreaElement).value)}></textarea></label>
        ${problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`}
        <div class="buttons">
          <button type="button" onClick=${save}>Save</button>
          <button type="button" onClick=${show}>Undo changes</button>
        </div>`
          : null
      }
    </section>`
}
