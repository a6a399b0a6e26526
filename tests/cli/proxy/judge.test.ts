/** `plantstore judge`: recorded traffic, without a server. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { launchBrowser } from '../../browser.ts'
import { listen } from '../../listen.ts'
import { emptyFolder, plantstore } from '../command.ts'
import { deadUrl } from '../servers.ts'
import { harOf } from './har.ts'

const judged = async (text: string, ...args: readonly string[]) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'traffic.har'), text)
  return { cwd, ...(await plantstore(['judge', 'traffic.har', ...args], { cwd })) }
}

const verdictsIn = (cwd: string): ReadonlyMap<string, string> => {
  const { entries } = foldLedger(
    readLedger(readFileSync(join(cwd, 'plantstore-report', 'ledger.ndjson'), 'utf8')),
  )
  return new Map(entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
}

const valid = { body: '{"id":1,"name":"Fern"}', answer: '{"name":"Fern"}' }

describe.concurrent('plantstore judge', () => {
  test('two faults of one response are two findings with ids of their own', async () => {
    const { cwd } = await judged(harOf([{ ...valid, answer: '{"name":7,"tag":7}' }]))
    const { entries, findings } = foldLedger(
      readLedger(readFileSync(join(cwd, 'plantstore-report', 'ledger.ndjson'), 'utf8')),
    )
    expect(findings.length).toBeGreaterThan(1)
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)
    for (const { obligation, verdict } of entries)
      if (verdict.kind === 'failed')
        expect(findings).toContainEqual(
          expect.objectContaining({ id: verdict.finding, obligation: obligation.id }),
        )
  })

  test('judges what a browser has recorded of a page', async () => {
    const api = await listen(
      createServer((request, response) => {
        response.setHeader('Access-Control-Allow-Origin', '*')
        response.setHeader('Access-Control-Allow-Headers', '*')
        if (request.method === 'OPTIONS') {
          response.writeHead(204).end()
          return
        }
        let text = ''
        request.setEncoding('utf8').on('data', part => {
          text += part
        })
        request.on('end', () => {
          const isValid = text.includes('"Fern"')
          const answer = isValid ? '{"name":"Fern","tag":7}' : '{"error":22,"message":"no"}'
          response.writeHead(isValid ? 200 : 400, {
            'Content-Type': 'application/json',
            'Content-Encoding': 'gzip',
          })
          response.end(gzipSync(answer))
        })
      }),
    )
    const site = await listen(
      createServer((_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Shop</title>')
      }),
    )
    const browser = await launchBrowser()
    const cwd = emptyFolder()
    try {
      const context = await browser.newContext({ recordHar: { path: join(cwd, 'traffic.har') } })
      const page = await context.newPage()
      await page.goto(site.url)
      await page.evaluate(
        async ([url, dead]) => {
          const post = (at: string | undefined, plant: object): Promise<unknown> =>
            fetch(`${at}/plants`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', authorization: 'Bearer secret-of-the-page' },
              body: JSON.stringify(plant),
            }).then(response => response.text())
          await post(url, { id: 1, name: 'Fern' })
          await post(url, { id: '2', name: 'Ivy' })
          await post(dead, { id: 3, name: 'Moss' }).catch(() => {})
        },
        [api.url, await deadUrl()],
      )
      await context.close()
    } finally {
      await browser.close()
      await Promise.all([api.close(), site.close()])
    }
    const { code, stdout, stderr } = await plantstore(['judge', 'traffic.har'], { cwd })
    expect(stderr).toMatch(/^traffic\.har: 3 of \d+ requests are for operations of the document/m)
    expect(stderr).toMatch(/log\.entries\[\d+\]: POST \/plants: \/id must be an integer/)
    expect(stderr).toContain('1 exchange not judged, or not to the end: there was no response (1)')
    expect(stdout).toContain('3 exchanges: 1 invalid request, the server at fault in 1\n')
    expect(stdout).toContain('plantstore judge traffic.har --server ')
    expect(code).toBe(1)
    const verdicts = verdictsIn(cwd)
    expect(verdicts.get('createPlant/response/200/body/tag/type')).toBe('failed')
    expect(verdicts.get('createPlant/request/valid')).toBe('passed')
    expect(verdicts.get('createPlant/request/body/id/type/numeral')).toBe('passed')
    const out = join(cwd, 'plantstore-report')
    const written = readdirSync(out).map(file => readFileSync(join(out, file), 'utf8'))
    expect([...written, stdout, stderr].join('')).not.toContain('secret-of-the-page')
  })

  test('takes requests whose credentials the export left out for valid ones', async () => {
    const { code, stdout, cwd } = await judged(harOf([valid]))
    expect(stdout).toContain('1 exchange: 0 invalid requests, the server at fault in 0\n')
    expect(code).toBe(0)
    const verdicts = verdictsIn(cwd)
    expect(verdicts.get('createPlant/request/valid')).toBe('passed')
    expect(verdicts.get('createPlant/auth/absent')).toBe('untested')
  })

  test('credentials in a spelling that has to be accepted are no fault', async () => {
    const { code, cwd } = await judged(
      harOf([{ ...valid, headers: { Authorization: 'bearer of-somebody' } }]),
    )
    expect(code).toBe(0)
    expect(verdictsIn(cwd).get('createPlant/auth/lower-case-scheme')).toBe('passed')
  })

  test('fails on the side that it is told to', async () => {
    const text = harOf([{ body: '{"id":1}', status: 400, answer: '{"error":20,"message":"no"}' }])
    expect((await judged(text)).code).toBe(1)
    expect((await judged(text, '--fail-on', 'request')).code).toBe(1)
    expect((await judged(text, '--fail-on', 'response')).code).toBe(0)
  })

  test('takes an accepted invalid request for a fault of both', async () => {
    const { code, stdout } = await judged(
      harOf([{ body: '{"id":1}', answer: '{"name":"a"}' }]),
      '--fail-on',
      'response',
    )
    expect(stdout).toContain('1 exchange: 1 invalid request, the server at fault in 1\n')
    expect(code).toBe(1)
  })

  test('leaves out what belongs to no operation, and says where the rest went', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'POST', Origin: 'https://a.test' },
      status: 204,
    }
    const elsewhere = { ...valid, url: 'http://127.0.0.1:1/plants' }
    const page = { method: 'GET', url: 'https://shop.test/' }
    const { code, stderr } = await judged(harOf([preflight, page, valid, valid, elsewhere]))
    expect(stderr).toContain(
      'traffic.har: 3 of 5 requests are for operations of the document (besides: 1 CORS preflight, 1 other request)\n' +
        '  they went to https://shop.test (2), http://127.0.0.1:1 (1), none of which is a server of the document: name the right one with --server\n',
    )
    expect(code).toBe(0)
    const named = await judged(harOf([valid, valid, elsewhere]), '--server', 'http://127.0.0.1:1')
    expect(named.stderr).toContain(
      '1 of 3 requests is for operations of the document (besides: 2 other requests)',
    )
  })

  test('says that nothing was judged', async () => {
    const { code, stderr, cwd } = await judged(harOf([{ ...valid, url: 'https://shop.test/v1/plants' }]))
    expect(stderr).toContain(
      '  the file has requests to https://shop.test (1): is this the right document, and its base path (--server)?\n',
    )
    expect(code).toBe(4)
    expect(existsSync(join(cwd, 'plantstore-report'))).toBe(false)
    const below = await judged(
      harOf([{ ...valid, url: 'https://shop.test/v1/plants' }]),
      '--server',
      'https://shop.test/v1',
    )
    expect(below.code).toBe(0)
  })

  test('does not judge what the file does not have', async () => {
    const entries = JSON.parse(harOf([{ ...valid, answer: 'not JSON' }]))
    entries.log.entries[0].response.content = { size: 900, mimeType: 'application/json' }
    const { code, stdout, stderr } = await judged(JSON.stringify(entries))
    expect(stderr).toContain('the file does not have the body of the response (1)')
    expect(stdout).toContain('1 exchange: 0 invalid requests, the server at fault in 0\n')
    expect(code).toBe(0)
  })

  test('takes placeholders for the secrets that they stand for', async () => {
    const headers = { Authorization: 'Bearer {{token}}' }
    const text = harOf([{ ...valid, headers }]).replace('WebInspector', 'plantstore-contract')
    expect(await judged(text)).toMatchObject({ code: 0 })
    const without = harOf([valid]).replace('WebInspector', 'plantstore-contract')
    expect(await judged(without)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('credentials are missing'),
    })
  })

  test('finds no fault of a conformant server in all that a run has sent to it', async () => {
    const cwd = emptyFolder()
    const run = ['verify', '--seed', '1', '--cases', '400', '--malformed-http', '--har', 'run.har']
    await plantstore(run, { cwd })
    const { code, stdout } = await plantstore(['judge', 'run.har', '--fail-on', 'response'], { cwd })
    expect(stdout).toMatch(/^[\d,]{3,} exchanges: \d{2,} invalid requests, the server at fault in 0$/m)
    expect(code).toBe(0)
  })

  test.each([
    ['{"log":', /^plantstore: traffic\.har cannot be used: it is not JSON: .*\n$/],
    [
      '{"openapi":"3.1.0"}',
      /^plantstore: traffic\.har cannot be used: it is neither a HAR file, which .*\n$/,
    ],
  ])('one line names what is wrong with a file: %s', async (text, line) => {
    expect(await judged(text)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(line) })
  })

  test('a file that is not there', async () => {
    expect(await plantstore(['judge', 'none.har'], { cwd: emptyFolder() })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^plantstore: none\.har cannot be read: ENOENT.*\n$/),
    })
  })
})
