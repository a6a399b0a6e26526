import type { ContractSummary, EditableRequest, OperationDetails, Sample } from '../../messages.ts'
import { takePreset } from '../state/form-preset.ts'
import { useResource, useTabValue } from '../state/hooks.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useEffect, useMemo, useRef, useState, type VNode } from '../ui/html.ts'
import { formatJson } from '../ui/json-text.ts'
import { noSample, SampleSelect } from './sample-select.ts'
import { readHeaders, type SendResult, send, writeHeaders } from './send.ts'
import { TryResult } from './try-result.ts'

type Props = {
  readonly contract: ContractSummary
  readonly operation: OperationDetails
  readonly traffic: Traffic
}

type FormState = {
  readonly target: string
  readonly headers: string
  readonly body: string
  readonly hasBody: boolean
}

const formStateOf = ({ target, headers, body }: EditableRequest): FormState => ({
  target,
  headers: writeHeaders(headers),
  body: formatted(body ?? ''),
  hasBody: body !== null,
})

// Line breaks make no difference to the server.
const formatted = (body: string): string =>
  formatJson(body)
    ?.map(({ text }) => text)
    .join('') ?? body

/** A form that sends valid and invalid requests of an operation, and shows the responses. */
export const TryOperation = ({ contract, operation, traffic }: Props): VNode => {
  const { id } = operation
  const { value: samples, problem } = useResource<readonly Sample[]>(`samples/${encodeURIComponent(id)}`)
  const preset = useMemo(() => takePreset(id), [id])
  const violates = preset?.violates ?? null
  const presetIndex = samples?.findIndex(sample => violates !== null && sample.violates === violates) ?? -1
  return html`
    <section class="try" aria-labelledby="try-it">
      <h3 id="try-it">Try it</h3>
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        samples === null
          ? null
          : html`<${TryForm} contract=${contract} operation=${operation} traffic=${traffic} samples=${samples}
              request=${preset?.request ?? null} initial=${Math.max(0, presetIndex)} />`
      }
    </section>`
}

type FormProps = Props & {
  readonly samples: readonly Sample[]
  /** The request to begin with; null: the sample with the index `initial`. */
  readonly request: EditableRequest | null
  readonly initial: number
}

const TryForm = ({ contract, operation, traffic, samples, request, initial }: FormProps): VNode => {
  const { method, path } = operation
  const [selected, setSelected] = useState(request === null ? initial : noSample)
  const [form, setForm] = useState<FormState>(() =>
    formStateOf(request ?? samples[initial] ?? { target: path, headers: [], body: null }),
  )
  const [token, setToken] = useTabValue('token', contract.anyToken ? 'any-token' : '')
  const [result, setResult] = useState<SendResult | null>(null)
  const [sending, setSending] = useState<AbortController | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isPreset = request !== null || initial > 0
  useEffect(() => {
    if (isPreset) button.current?.focus()
  }, [])
  const change = (part: Partial<FormState>): void => setForm({ ...form, ...part })
  const selectSample = (index: number): void => {
    const sample = samples[index]
    setSelected(index)
    if (sample !== undefined) setForm(formStateOf(sample))
  }
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const controller = new AbortController()
    setSending(controller)
    const body = form.hasBody ? form.body : null
    const headers = readHeaders(form.headers)
    setResult(await send(method, { target: form.target, headers, body }, token, controller.signal))
    setSending(null)
  }
  const needsToken = /\{\{token/.test(form.headers + form.target + form.body)
  const violates = samples[selected]?.violates ?? null
  return html`
    <form class="form columns" onSubmit=${submit}>
      <${SampleSelect} samples=${samples} selected=${selected} onSelect=${selectSample} />
      ${violates === null ? null : html`<p class="hint muted mono">violates ${violates}</p>`}
      <div class="column">
      <label><span>Path <span class="mono muted">${method}</span></span>
        <input class="mono" value=${form.target} required pattern="/.*" spellcheck="false"
          onInput=${(event: Event) => change({ target: (event.target as HTMLInputElement).value })} />
      </label>
      <label>Headers
        <textarea class="mono" rows="3" spellcheck="false" value=${form.headers}
          onInput=${(event: Event) => change({ headers: (event.target as HTMLTextAreaElement).value })}></textarea>
      </label>
      ${
        needsToken
          ? html`<label><span>Token <span class="muted">replaces {{token}}; ${contract.anyToken ? 'any value works' : 'must be one that the mock was started with'}</span></span>
              <input class="mono" value=${token} autocomplete="off" spellcheck="false"
                onInput=${(event: Event) => setToken((event.target as HTMLInputElement).value)} /></label>`
          : null
      }
      </div>
      <div class="column">
      ${
        method === 'GET' || method === 'HEAD'
          ? null
          : html`<label class="check"><input type="checkbox" checked=${form.hasBody}
                onChange=${(event: Event) => change({ hasBody: (event.target as HTMLInputElement).checked })} /> Send a body</label>`
      }
      ${
        form.hasBody
          ? html`<label>Body
              <textarea class="mono" rows=${Math.max(7, Math.min(14, form.body.split('\n').length + 1))} spellcheck="false" value=${form.body}
                onInput=${(event: Event) => change({ body: (event.target as HTMLTextAreaElement).value })}></textarea></label>`
          : null
      }
      </div>
      ${
        /^cookie\s*:/im.test(form.headers)
          ? html`<p class="hint muted">Browsers do not let pages set Cookie. Send this request once, then copy it as curl.</p>`
          : null
      }
      <div class="buttons">
        <button type="submit" class="primary" ref=${button} disabled=${sending !== null}>Send</button>
        ${sending === null ? null : html`<button type="button" onClick=${() => sending.abort()}>Stop</button>`}
      </div>
    </form>
    <div class="result" role="status">${result === null ? null : html`<${TryResult} result=${result} traffic=${traffic} />`}</div>`
}
