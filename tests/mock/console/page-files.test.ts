/** The files of the console's page. The page itself is tested in page/. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { importsOf } from '../../imports.ts'
import { startMock } from '../client.ts'
import { callConsole } from './call-console.ts'

describe('the page', () => {
  test('runs only its own scripts, connects only to the mock and cannot be framed', async () => {
    const mock = await startMock()
    const response = await callConsole(mock, '')
    const text = await response.text()
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? []
    expect(policy).toContain(
      `script-src 'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'`,
    )
    for (const part of [`default-src 'none'`, `connect-src 'self'`, `frame-ancestors 'none'`])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is found without the trailing slash', async () => {
    const mock = await startMock()
    const response = await fetch(`${mock.url}/__plantstore`)
    expect(response.url).toBe(`${mock.url}/__plantstore/`)
    expect(response.status).toBe(200)
  })

  test('escapes the title of the document', async () => {
    const mock = await startMock()
    const title = '</title><script>alert(1)</script>'
    const named = await startMock({ contract: { ...mock.contract, title } })
    const text = await (await callConsole(named, '')).text()
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&#60;script&#62;')
  })

  test('gets every module that it imports as JavaScript, and every style sheet as CSS', async () => {
    const mock = await startMock()
    const document = await (await callConsole(mock, '')).text()
    const { imports } = JSON.parse(/importmap">(.*?)</s.exec(document)?.[1] ?? '') as {
      imports: Record<string, string>
    }
    const loaded = new Set<string>()
    const load = async (path: string): Promise<void> => {
      if (loaded.has(path)) return
      loaded.add(path)
      const response = await callConsole(mock, path)
      expect({ path, status: response.status, type: response.headers.get('content-type') }).toEqual({
        path,
        status: 200,
        type: 'text/javascript; charset=utf-8',
      })
      const names = importsOf(await response.text())
      await Promise.all(
        names.map(name =>
          load(
            name.startsWith('.')
              ? new URL(name, `http://x/${path}`).pathname.slice(1)
              : (imports[name] ?? name).slice(2),
          ),
        ),
      )
    }
    await load(/type="module" src="([^"]+)"/.exec(document)?.[1] ?? '')
    expect(loaded.size).toBeGreaterThan(20)
    const styles = [...document.matchAll(/stylesheet" href="([^"]+)"/g)].map(([, path = '']) => path)
    expect(styles.length).toBeGreaterThan(1)
    for (const path of styles)
      expect((await callConsole(mock, path)).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  test('is served without any other file', async () => {
    const mock = await startMock()
    for (const path of [
      'page/..%2fconsole.ts',
      'page/%2fetc%2fpasswd',
      'page/',
      'page',
      'library/fs.js',
      'page/tsconfig.json',
    ])
      expect((await callConsole(mock, path)).status).toBe(404)
  })
})
