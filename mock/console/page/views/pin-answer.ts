import type { ExchangeDetails } from '../../messages.ts'
import { callMock } from '../state/api.ts'
import { panelHash } from '../state/route.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { formatJson } from '../ui/json-text.ts'

type Props = {
  readonly details: ExchangeDetails
  readonly operation: string
  /** The status of an answer that names none; null: the operation declares no success. */
  readonly success: number | null
  readonly onClose: () => void
}

/** A form with the answer of a request, to be changed and given to later requests. The contract judges it. */
export const PinAnswer = ({ details, operation, success, onClose }: Props): VNode => {
  const { summary, responseBody, like } = details
  const [status, setStatus] = useState(String(summary.status))
  const [text, setText] = useState(() => formatted(responseBody.text ?? ''))
  const [onlyLike, setOnlyLike] = useState(false)
  const [undeclared, setUndeclared] = useState(false)
  const [outcome, setOutcome] = useState<{ readonly problem: string | null } | null>(null)
  const client = summary.client ?? ''
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const parts = {
      // Without a status, only valid requests get the answer.
      ...(Number(status) === success ? {} : { status: Number(status) }),
      ...(onlyLike && like !== null ? { when: like } : {}),
      ...(undeclared ? { undeclared } : {}),
    }
    try {
      const json = withBody(parts, text, details)
      await callMock(`scenarios/${encodeURIComponent(operation)}`, { method: 'POST', json, client })
      setOutcome({ problem: null })
    } catch (error) {
      setOutcome({ problem: (error as Error).message })
    }
  }
  return html`
    <form class="form pin" onSubmit=${submit} aria-label="Edit and pin the answer">
      <label class="short">Status
        <input type="number" min="200" max="599" required value=${status} onInput=${(event: Event) => setStatus((event.target as HTMLInputElement).value)} />
      </label>
      <label>Answer
        <textarea class="mono" rows=${Math.max(5, Math.min(18, text.split('\n').length + 1))} spellcheck="false" value=${text}
          onInput=${(event: Event) => setText((event.target as HTMLTextAreaElement).value)}></textarea>
      </label>
      ${
        like === null
          ? null
          : html`<label class="check"><input type="checkbox" checked=${onlyLike}
              onChange=${(event: Event) => setOnlyLike((event.target as HTMLInputElement).checked)} /> <span>Only for <code>${likeText(like)}</code></span></label>`
      }
      <label class="check"><input type="checkbox" checked=${undeclared}
        onChange=${(event: Event) => setUndeclared((event.target as HTMLInputElement).checked)} /> Allow what the contract does not declare</label>
      ${client === '' ? null : html`<p class="hint muted">For the client <code>${client}</code>, which sent this request.</p>`}
      ${outcome === null || outcome.problem === null ? null : html`<p class="problem" role="alert">${outcome.problem}</p>`}
      <div class="buttons">
        <button type="submit" class="primary">Pin</button>
        <button type="button" onClick=${onClose}>Close</button>
        <span class="pinned" role="status">${
          outcome?.problem === null
            ? html`Pinned: <code>${operation}</code> gives this answer until it is switched off under <a href=${panelHash('scenarios', operation)}>Scenarios</a>.`
            : ''
        }</span>
      </div>
    </form>`
}

const formatted = (text: string): string =>
  formatJson(text)
    ?.map(({ text }) => text)
    .join('') ?? text

const likeText = ({ path, query }: NonNullable<ExchangeDetails['like']>): string =>
  Object.entries({ ...path, ...query })
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')

/** The scenario as JSON, in which the numbers of the answer keep every digit. Throws an error that says why it cannot be. */
const withBody = (parts: object, text: string, { responseHeaders }: ExchangeDetails): string => {
  if (text.trim() === '') return JSON.stringify(parts)
  const type =
    responseHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? 'application/json'
  const isJson = /^[^;]*[/+]json\b/i.test(type)
  if (!isJson) return JSON.stringify({ ...parts, headers: { 'Content-Type': type }, body: text })
  try {
    JSON.parse(text)
  } catch (error) {
    throw new Error(`the answer is not JSON: ${(error as Error).message}`)
  }
  return `${JSON.stringify(parts).slice(0, -1)}${Object.keys(parts).length === 0 ? '' : ','}"body":${text}}`
}
