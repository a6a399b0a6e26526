import './style.css'
import { createPlant, type Outcome } from './client.ts'

const find = <T extends Element>(selector: string): T => {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`no ${selector} in the page`)
  return found
}

const form = find<HTMLFormElement>('form')
const button = find<HTMLButtonElement>('form button')
const trouble = find<HTMLElement>('#trouble')
const shelf = find<HTMLOListElement>('#shelf')
const empty = find<HTMLElement>('#empty')

const text = (data: FormData, name: string): string => String(data.get(name) ?? '').trim()

form.addEventListener('submit', async event => {
  event.preventDefault()
  const data = new FormData(form)
  const [id, tag] = [text(data, 'id'), text(data, 'tag')]
  button.disabled = true
  const outcome = await createPlant(
    // Not Number(id), which would change the last digits of a large one.
    { id: BigInt(id), name: text(data, 'name'), ...(tag === '' ? {} : { tag }) },
    text(data, 'token'),
  )
  button.disabled = false
  show(outcome, id)
})

const show = (outcome: Outcome, id: string): void => {
  trouble.hidden = outcome.kind === 'created'
  switch (outcome.kind) {
    case 'created': {
      const { name, tag } = outcome.plant
      shelf.prepend(row(id, name, tag))
      empty.hidden = true
      find<HTMLInputElement>('#id').select()
      break
    }
    case 'rejected':
      trouble.replaceChildren(
        element('strong', `The store rejected it (code ${outcome.rejection.error})`),
        element('span', outcome.rejection.message),
      )
      break
    case 'unreachable':
      trouble.replaceChildren(
        element('strong', 'The store cannot be reached'),
        element('span', `There is no server at ${outcome.url}. Is the mock running?`),
      )
  }
}

const row = (id: string, name: string, tag: string | undefined): HTMLElement => {
  const item = element('li', '')
  item.append(element('span', name, 'name'), element('code', id))
  if (tag !== undefined) item.append(element('span', tag, 'tag'))
  return item
}

const element = (tag: string, text: string, style = ''): HTMLElement => {
  const made = document.createElement(tag)
  made.textContent = text
  made.className = style
  return made
}
