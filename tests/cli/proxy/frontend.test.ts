/** An end-to-end test of a front end that runs through a proxy is a contract test of the server behind it. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { launchBrowser } from '../../browser.ts'
import { shopDocument } from '../../documents/index.ts'
import { freePort } from '../../free-port.ts'
import { emptyFolder, start, watch } from '../command.ts'

const shop = fileURLToPath(new URL('../../../examples/shop', import.meta.url))
const vite = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))
const { '/products': products } = JSON.parse(readFileSync(join(shop, 'seeds.json'), 'utf8'))

/** The app as it is published, with requests to `/api` going to `target`. */
const startApp = async (target: string): Promise<string> => {
  const outDir = emptyFolder()
  const common = ['--configLoader', 'native', '--outDir', outDir]
  // In CI Vite prints in colours, which begin in the middle of the URL.
  const env = { ...process.env, SHOP: target, NO_COLOR: '1' }
  const options = { cwd: shop, env, stdio: 'pipe' } as const
  execFileSync(process.execPath, [vite, 'build', ...common, '--emptyOutDir'], options)
  const args = [vite, 'preview', ...common, '--host', '127.0.0.1', '--port', await freePort(), '--strictPort']
  const app = watch(spawn(process.execPath, args, options))
  onTestFinished(async () => {
    app.kill('SIGKILL')
    await app.ended
  })
  const [, url = ''] = await app.shows(/(http:\/\/127\.0\.0\.1:\d+)/)
  return url
}

test('a server that answers outside its schema fails it, though the page shows nothing of it', async () => {
  const port = await freePort()
  const app = await startApp(`http://127.0.0.1:${port}`)
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  /** The first two pages of the list, with a server that breaks this obligation; the end of the proxy. */
  const visited = async (breaks?: string) => {
    const server = await createMock({
      contract: shopDocument,
      stateful: true,
      seedData: { '/products': products },
      breaks,
    })
    onTestFinished(server.close)
    const proxy = start([
      'proxy',
      server.url,
      '--spec',
      shopDocument,
      '--port',
      port,
      '--fail-on',
      'response',
      '--report',
      'junit',
    ])
    await proxy.shows(/^proxy at /m)
    const page = await browser.newPage()
    await page.goto(app)
    const rows = page.getByRole('listitem').filter({ has: page.locator('.price') })
    await rows.nth(4).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText(/^Page 2 of/).waitFor()
    await page.close()
    proxy.kill('SIGINT')
    return proxy.ended
  }
  expect(await visited()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('the server at fault in 0\n'),
  })
  const { code, stdout } = await visited('listProducts/response/200/body/items/*/id/pattern')
  expect(stdout).toContain('listProducts/response/200/body/items/*/id/pattern')
  expect(code).toBe(1)
})
