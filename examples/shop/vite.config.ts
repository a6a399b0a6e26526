import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
// In your own project: from 'plantstore-contract/mock/vite'.
import { plantstoreMock } from '../../mock/mounts/vite.ts'

/** The URL of a real server; without it, the mock stands in for one. */
const { SHOP } = process.env

const { '/products': products } = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8'))

const mock = plantstoreMock({
  spec: 'shop.openapi.yaml',
  prefix: '/api',
  stateful: true,
  seedData: { '/api/products': products },
  scenarios: { watchStock: { stream: { events: 100, interval: 1000, open: true } } },
})

const proxy = { '/api': { target: SHOP ?? '', rewrite: (path: string) => path.slice('/api'.length) } }

export default defineConfig(
  SHOP === undefined ? { plugins: [mock] } : { server: { proxy }, preview: { proxy } },
)
