import type { FieldTexts, Upload } from '../../messages.ts'
import { html, type VNode } from '../ui/html.ts'

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
