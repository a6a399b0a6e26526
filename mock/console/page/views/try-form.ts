import type {
  ContractSummary,
  EditableRequest,
  FieldDetails,
  FieldTexts,
  FilledHead,
  HeaderPairs,
  OperationDetails,
  Sample,
  Upload,
} from '../../messages.ts'
import { callMock } from '../state/api.ts'
import { useResource, useTabValue } from '../state/hooks.ts'
import { takePreset } from '../state/route.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useEffect, useMemo, useRef, useState, type VNode } from '../ui/html.ts'
import { formatJson } from '../ui/json-text.ts'
import { ParameterFields } from '../ui/parameter-fields.ts'
import { noSample, SampleSelect } from './sample-select.ts'
import {
  BodyField,
  type BodyForm,
  contentOf,
  readHeaders,
  type SendResult,
  send,
  writeHeaders,
} from './send.ts'
import { TryResult } from './try-result.ts'

type Props = {
  readonly contract: ContractSummary
  readonly operation: OperationDetails
  readonly traffic: Traffic
}

type FormState = {
  readonly fields: FieldTexts
  readonly target: string
  readonly headers: string
  readonly body: BodyForm
}

const formStateOf = (request: EditableRequest, parts: FieldTexts = {}): FormState => ({
  fields: request.fields,
  target: request.target,
  headers: writeHeaders(request.headers),
  body: {
    text: formatted(request.body ?? ''),
    isSent: request.body !== null,
    byParts: false,
    parts,
    files: {},
  },
})

const tokenHints: Readonly<Record<ContractSummary['tokens'], string>> = {
  any: 'any value works',
  given: 'must be one that the mock was started with',
  'of-server': 'must be one that the server accepts',
}

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
  const { id, method, path, parameters, bodies } = operation
  const [selected, setSelected] = useState(request === null ? initial : noSample)
  const [form, setForm] = useState<FormState>(() => {
    const sample = samples[initial]
    return formStateOf(
      request ?? sample ?? { target: path, headers: [], body: null, fields: {} },
      sample?.parts,
    )
  })
  const [token, setToken] = useTabValue('token', contract.tokens === 'any' ? 'any-token' : '')
  const [result, setResult] = useState<SendResult | null>(null)
  const [sending, setSending] = useState<AbortController | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isPreset = request !== null || initial > 0
  useEffect(() => {
    if (isPreset) button.current?.focus()
  }, [])
  // The mock writes paths and headers from the fields; what is sent waits for the last of them.
  const latest = useRef(form)
  const written = useRef<Promise<unknown>>(Promise.resolve())
  const change = (part: Partial<FormState>): void => {
    latest.current = { ...latest.current, ...part }
    setForm(latest.current)
  }
  const fill = (fields: FieldTexts): void => {
    change({ fields })
    written.current = callMock<FilledHead>(`samples/${encodeURIComponent(id)}`, {
      method: 'POST',
      body: fields,
    }).then(
      head => {
        if (latest.current.fields !== fields) return
        change({
          target: head.target,
          headers: withParameters(latest.current.headers, head.headers, parameters),
        })
      },
      () => {},
    )
  }
  const selectSample = (index: number): void => {
    const sample = samples[index]
    setSelected(index)
    if (sample !== undefined) change(formStateOf(sample, sample.parts))
  }
  const upload = uploadFor(bodies, form.headers)
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const controller = new AbortController()
    setSending(controller)
    await written.current
    const { target, headers, body } = latest.current
    const content = contentOf(body, upload)
    setResult(
      await send(method, { target, headers: readHeaders(headers), body: content }, token, controller.signal),
    )
    setSending(null)
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const needsToken = /\{\{token/.test(form.headers + form.target + form.body.text)
  const violates = samples[selected]?.violates ?? null
  return html`
    <form class="form columns" onSubmit=${submit}>
      <${SampleSelect} samples=${samples} selected=${selected} onSelect=${selectSample} />
      ${violates === null ? null : html`<p class="hint muted mono">violates ${violates}</p>`}
      <${ParameterFields} parameters=${parameters} values=${form.fields} onValues=${fill} />
      <div class="column ${hasBody ? '' : 'whole'}">
      <label><span>Path <span class="mono muted">${method}</span></span>
        <input class="mono" value=${form.target} required pattern="/.*" spellcheck="false"
          onInput=${(event: Event) => change({ target: (event.target as HTMLInputElement).value })} />
      </label>
      <label>Headers
        <textarea class="mono" rows=${hasBody ? 3 : 2} spellcheck="false" value=${form.headers}
          onInput=${(event: Event) => change({ headers: (event.target as HTMLTextAreaElement).value })}></textarea>
      </label>
      ${
        needsToken
          ? html`<label><span>Token <span class="muted">replaces {{token}}; ${tokenHints[contract.tokens]}</span></span>
              <input class="mono" value=${token} autocomplete="off" spellcheck="false"
                onInput=${(event: Event) => setToken((event.target as HTMLInputElement).value)} /></label>`
          : null
      }
      </div>
      <div class="column">
      ${
        !hasBody
          ? null
          : html`<label class="check"><input type="checkbox" checked=${form.body.isSent}
                onChange=${(event: Event) => change({ body: { ...form.body, isSent: (event.target as HTMLInputElement).checked } })} /> Send a body</label>`
      }
      ${
        form.body.isSent
          ? html`<${BodyField} key=${selected} body=${form.body} upload=${upload}
              onChange=${(part: Partial<BodyForm>) => change({ body: { ...latest.current.body, ...part } })} />`
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

/** The lines of headers, with those that are parameters in the place of earlier ones. */
const withParameters = (lines: string, headers: HeaderPairs, parameters: readonly FieldDetails[]): string => {
  const names = new Set(
    parameters.flatMap(({ name, in: part }) =>
      part === 'header' ? [name.toLowerCase()] : part === 'cookie' ? ['cookie'] : [],
    ),
  )
  return writeHeaders([...readHeaders(lines).filter(([name]) => !names.has(name.toLowerCase())), ...headers])
}

/** How files are sent in a body of the content type that the headers name. */
const uploadFor = (bodies: OperationDetails['bodies'], headers: string): Upload | null => {
  const type = /^content-type:\s*([^;\s]+)/im.exec(headers)?.[1]?.toLowerCase()
  return (bodies.find(media => media.type.toLowerCase() === type) ?? bodies[0])?.upload ?? null
}
