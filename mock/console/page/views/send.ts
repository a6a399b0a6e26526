import type { Body, EditableRequest, FieldTexts, Upload } from '../../messages.ts'
import { html, type VNode } from '../ui/html.ts'

/** The outcome of a request that the page sent; `problem`: why there is no response. */
export type SendResult = {
  /** By which the request is found in the traffic. */
  readonly mark: string
  readonly status: number
  readonly body: Body | null
  readonly problem: string | null
}

let count = 0

/** Sends a request to the mock as an application would, and reads the whole response. */
export const send = async (
  method: string,
  {
    target,
    headers,
    body,
  }: Pick<EditableRequest, 'target' | 'headers'> & { readonly body: string | Blob | FormData | null },
  token: string,
  signal: AbortSignal,
): Promise<SendResult> => {
  count += 1
  const mark = `${Math.round(performance.timeOrigin)}-${count}`
  try {
    const response = await fetch(location.origin + fillToken(target, encodeURIComponent(token)), {
      method,
      headers: [
        ...headers
          .filter(([name]) => !(body instanceof FormData) || name.toLowerCase() !== 'content-type')
          .map(([name, value]): [string, string] => [name, fillToken(value, token)]),
        ['Plantstore-Mark', mark],
      ],
      // For a string, fetch would add a Content-Type; for a blob without a type it adds none.
      ...(body === null
        ? {}
        : { body: typeof body === 'string' ? new Blob([fillToken(body, token)]) : body }),
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { mark, status: response.status, body: bodyOf(bytes), problem: null }
  } catch (error) {
    const problem = signal.aborted
      ? 'stopped before a response arrived'
      : `no response: ${(error as Error).message}`
    return { mark, status: 0, body: null, problem }
  }
}

const fillToken = (text: string, token: string): string =>
  text.replaceAll('{{token:basic}}', base64(token)).replaceAll('{{token}}', token)

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const bodyOf = (bytes: Uint8Array): Body => {
  const size = bytes.length
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { size, kept: size, text, base64: null }
  } catch {
    return { size, kept: size, text: null, base64: btoa(String.fromCharCode(...bytes.subarray(0, 1024))) }
  }
}

/** Headers as `Name: value` lines. */
export const writeHeaders = (headers: EditableRequest['headers']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n')

export const readHeaders = (text: string): EditableRequest['headers'] =>
  text.split('\n').flatMap(line => {
    const colon = line.indexOf(':')
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const]
  })

/** The body that the form sends: `text`, unless there are files. */
export type BodyForm = {
  readonly text: string
  readonly isSent: boolean
  /** Whether the parts are filled in one by one. */
  readonly byParts: boolean
  readonly parts: FieldTexts
  /** By the name of their part; empty: the whole body. */
  readonly files: Readonly<Record<string, readonly File[]>>
}

type Props = {
  readonly body: BodyForm
  readonly upload: Upload | null
  readonly onChange: (part: Partial<BodyForm>) => void
}

/** A body as text, as a file, or by its parts. */
export const BodyField = ({ body, upload, onChange }: Props): VNode => {
  const { text, byParts, files } = body
  const fileInput = (name: string, label: unknown, isList = false): VNode => html`
    <label>${label}
      <input type="file" multiple=${isList}
        onChange=${(event: Event) => onChange({ files: { ...files, [name]: [...((event.target as HTMLInputElement).files ?? [])] } })} /></label>`
  return html`
    ${
      upload?.kind === 'parts'
        ? html`<label class="check"><input type="checkbox" checked=${byParts}
            onChange=${(event: Event) => onChange({ byParts: (event.target as HTMLInputElement).checked })} /> Choose files</label>`
        : null
    }
    ${upload?.kind === 'file' ? fileInput('', html`<span>File <span class="muted">instead of the text</span></span>`) : null}
    ${
      upload?.kind === 'parts' && byParts
        ? upload.parts.map(({ name, isFile, isList }) =>
            isFile
              ? fileInput(name, html`<code>${name}</code>`, isList)
              : html`<label><code>${name}</code>
                  <textarea class="mono" rows=${isList ? 3 : 1} spellcheck="false" value=${body.parts[name] ?? ''}
                    onInput=${(event: Event) => onChange({ parts: { ...body.parts, [name]: (event.target as HTMLTextAreaElement).value } })}></textarea></label>`,
          )
        : html`<label>Body
            <textarea class="mono" rows=${Math.max(7, Math.min(14, text.split('\n').length + 1))} spellcheck="false" value=${text}
              onInput=${(event: Event) => onChange({ text: (event.target as HTMLTextAreaElement).value })}></textarea></label>`
    }`
}

/** What fetch takes; a browser gives a FormData its own content type. */
export const contentOf = (
  { text, isSent, byParts, parts, files }: BodyForm,
  upload: Upload | null,
): string | Blob | FormData | null => {
  if (!isSent) return null
  if (upload?.kind === 'file') return files['']?.[0] ?? text
  if (upload?.kind !== 'parts' || !byParts) return text
  const data = new FormData()
  for (const { name, isFile, isList, contentType } of upload.parts)
    if (isFile) for (const file of files[name] ?? []) data.append(name, file)
    else
      for (const value of isList ? (parts[name] ?? '').split('\n') : [parts[name] ?? ''])
        if (value !== '')
          data.append(name, contentType === null ? value : new Blob([value], { type: contentType }))
  return data
}
