import { App } from './app.ts'
import { html, render } from './html.ts'
import { follow } from './live.ts'

const root = document.getElementById('console')
if (root !== null) {
  follow()
  render(html`<${App} />`, root)
}
