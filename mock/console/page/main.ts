import { App } from './app.ts'
import { followTraffic } from './state/traffic.ts'
import { html, render } from './ui/html.ts'

const root = document.getElementById('console')
if (root !== null) {
  followTraffic()
  render(html`<${App} />`, root)
}
