import type { OperationSheet, Outline, Sample, Written } from '../shape.ts'
import { Body } from './body.ts'
import { useAsked, useKept } from './hooks.ts'
import { html, useEffect, useMemo, useRef, useState, type VNode } from './html.ts'
import { layOut } from './json-text.ts'
import type { Live } from './live.ts'
import { requestHash } from './route.ts'
import { readFields, type Sent, send, writeFields } from './send.ts'
import { takeDraft } from './try-draft.ts'
import { StatusCode, Verdict } from './verdict.ts'
import { visible } from './visible.ts'

type Props = { readonly outline: Outline; readonly sheet: OperationSheet; readonly live: Live }

type Form = {
  readonly target: string
  readonly headers: string
  readonly body: string
  readonly hasBody: boolean
}

// What a server reads is the same with line breaks or without.
const formOf = ({ target, headers, body }: Written): Form => ({
  target,
  headers: writeFields(headers),
  body:
    layOut(body ?? '')
      ?.map(({ text }) => text)
      .join('') ??
    body ??
    '',
  hasBody: body !== null,
})

/** A form that sends requests of an operation: valid ones, broken ones, and what is made of them. */
export const Try = ({ outline, sheet, live }: Props): VNode => {
  const { value: samples, problem } = useAsked<readonly Sample[]>(`samples/${encodeURIComponent(sheet.id)}`)
  const draft = useMemo(() => takeDraft(sheet.id), [sheet.id])
  return html`
    <section class="try" aria-labelledby="try-it">
      <h3 id="try-it">Try it</h3>
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        samples === null
          ? null
          : html`<${TryForm} outline=${outline} sheet=${sheet} live=${live} samples=${samples} written=${draft?.written ?? null}
              first=${Math.max(
                0,
                samples.findIndex(({ breaks }) => breaks !== null && breaks === draft?.breaks),
              )} />`
      }
    </section>`
}

type FormProps = Props & {
  readonly samples: readonly Sample[]
  readonly written: Written | null
  readonly first: number
}

const TryForm = ({ outline, sheet, live, samples, written, first }: FormProps): VNode => {
  const [chosen, setChosen] = useState(written === null ? first : -1)
  const start = written ?? samples[first] ?? { target: sheet.path, headers: [], body: null }
  const [form, setForm] = useState<Form>(() => formOf(start))
  const [token, setToken] = useKept('token', outline.anyToken ? 'any-token' : '')
  const [sent, setSent] = useState<Sent | null>(null)
  const [stop, setStop] = useState<AbortController | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isDrafted = written !== null || first > 0
  useEffect(() => {
    if (isDrafted) button.current?.focus()
  }, [])
  const set = (part: Partial<Form>): void => setForm({ ...form, ...part })
  const choose = (index: number): void => {
    const sample = samples[index]
    setChosen(index)
    if (sample !== undefined) setForm(formOf(sample))
  }
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const abort = new AbortController()
    setStop(abort)
    const body = form.hasBody ? form.body : null
    setSent(
      await send(
        sheet.method,
        { target: form.target, headers: readFields(form.headers), body },
        token,
        abort.signal,
      ),
    )
    setStop(null)
  }
  const option = (sample: Sample, index: number): VNode =>
    html`<option value=${index}>${sample.title}</option>`
  const valid = samples.flatMap((sample, index) => (sample.breaks === null ? [option(sample, index)] : []))
  const broken = samples.flatMap((sample, index) => (sample.breaks === null ? [] : [option(sample, index)]))
  const needsToken = /\{\{token/.test(form.headers + form.target + form.body)
  const breaks = samples[chosen]?.breaks ?? null
  return html`
    <form class="form columns" onSubmit=${submit}>
      <label>Send
        <select value=${chosen} onChange=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
          ${chosen < 0 ? html`<option value="-1">the request that was sent before</option>` : null}
          <optgroup label="Valid">${valid}</optgroup>
          ${broken.length === 0 ? null : html`<optgroup label="Broken">${broken}</optgroup>`}
        </select>
      </label>
      ${breaks === null ? null : html`<p class="hint soft mono">breaks ${breaks}</p>`}
      <div class="column">
      <label><span>Path <span class="mono soft">${sheet.method}</span></span>
        <input class="mono" value=${form.target} required pattern="/.*" spellcheck="false"
          onInput=${(event: Event) => set({ target: (event.target as HTMLInputElement).value })} />
      </label>
      <label>Headers
        <textarea class="mono" rows="3" spellcheck="false" value=${form.headers}
          onInput=${(event: Event) => set({ headers: (event.target as HTMLTextAreaElement).value })}></textarea>
      </label>
      ${
        needsToken
          ? html`<label><span>Token <span class="soft">in the place of {{token}}: ${outline.anyToken ? 'any will do' : 'one that the mock was started with'}</span></span>
              <input class="mono" value=${token} autocomplete="off" spellcheck="false"
                onInput=${(event: Event) => setToken((event.target as HTMLInputElement).value)} /></label>`
          : null
      }
      </div>
      <div class="column">
      ${
        sheet.method === 'GET' || sheet.method === 'HEAD'
          ? null
          : html`<label class="check"><input type="checkbox" checked=${form.hasBody}
                onChange=${(event: Event) => set({ hasBody: (event.target as HTMLInputElement).checked })} /> with a body</label>`
      }
      ${
        form.hasBody
          ? html`<label>Body
              <textarea class="mono" rows=${Math.max(7, Math.min(14, form.body.split('\n').length + 1))} spellcheck="false" value=${form.body}
                onInput=${(event: Event) => set({ body: (event.target as HTMLTextAreaElement).value })}></textarea></label>`
          : null
      }
      </div>
      ${
        /^cookie\s*:/im.test(form.headers)
          ? html`<p class="hint soft">A browser lets no page set Cookie: send this one first, then copy it as curl.</p>`
          : null
      }
      <div class="buttons">
        <button type="submit" class="primary" ref=${button} disabled=${stop !== null}>Send</button>
        ${stop === null ? null : html`<button type="button" onClick=${() => stop.abort()}>Stop</button>`}
      </div>
    </form>
    <div class="result" role="status">${sent === null ? null : html`<${Result} sent=${sent} live=${live} />`}</div>`
}

const Result = ({ sent, live }: { readonly sent: Sent; readonly live: Live }): VNode => {
  const entry = live.entries.find(({ mark }) => mark === sent.mark)
  return html`
    <p class="result-line">
      ${entry === undefined ? null : html`<${Verdict} of=${entry} />`}
      ${sent.problem === null ? html`<${StatusCode} status=${sent.status} />` : html`<span>${sent.problem}</span>`}
      ${entry === undefined ? null : html`<a href=${requestHash(entry.number)}>Request #${entry.number}</a>`}
    </p>
    ${entry === undefined || entry.breaches.length === 0 ? null : html`<ul class="reasons">${entry.breaches.map(({ message }) => html`<li>${visible(message)}</li>`)}</ul>`}
    ${sent.body === null ? null : html`<${Body} body=${sent.body} secrets=${[]} label="Body of the answer" />`}`
}
