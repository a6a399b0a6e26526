/** Bodies that are no JSON, sent as browsers and curl send them to a running mock, and its responses of other types. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { header, type Json, loadContract } from '../../../spec/index.ts'
import { mediaDocument } from '../../conformance/execute/media-document.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const media = await loadContract({ from: mediaDocument() })

const put = async (url: string, form: FormData): Promise<[number, Json]> => {
  const response = await fetch(`${url}/image`, { method: 'PUT', body: form })
  return [response.status, (await response.json()) as Json]
}

test('multipart of a browser is judged, and rejected with the reason', async () => {
  const mock = await startMock({ contract: media })
  const form = new FormData()
  form.append('alt', 'hello')
  expect(await put(mock.url, form)).toEqual([422, { error: '/file is missing' }])
  form.append('file', new File(['hello'], 'a.txt', { type: 'text/plain' }))
  form.append('width', 'wide')
  expect(await put(mock.url, form)).toEqual([
    422,
    {
      error:
        '/width must be an integer; /file must be sent as image/png or image/gif, not text/plain; /file must have the header X-Checksum',
    },
  ])
})

test('multipart of curl is accepted, and the response has what was sent', async () => {
  const mock = await startMock({ contract: media })
  const body = [
    '--x',
    'Content-Disposition: form-data; name="file"; filename="a.png"',
    'Content-Type: image/png',
    'X-Checksum: 1',
    '',
    'png',
    '--x',
    'Content-Disposition: form-data; name="alt"',
    '',
    'a fern',
    '--x--',
    '',
  ].join('\r\n')
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const response = await send(mock, { method: 'PUT', path: '/image', headers, body })
  expect(response.status).toBe(200)
  expect(jsonOf(response)).toMatchObject({ alt: 'a fern' })
})

test('XML is answered with XML that has what was sent', async () => {
  const mock = await startMock({ contract: media })
  const post = (body: string) =>
    send(mock, { method: 'POST', path: '/pets', headers: { 'content-type': 'application/xml' }, body })
  const chip = '550e8400-e29b-41d4-a716-446655440000'
  const pet = `<pet xmlns="urn:pets" chip="${chip}"><petName>Tom &amp; Co</petName><photos><photo>a</photo></photos></pet>`
  const accepted = await post(pet)
  expect([accepted.status, header(accepted.headers, 'content-type')]).toEqual([201, 'application/xml'])
  const text = Buffer.from(accepted.body).toString()
  expect(text).toContain(`chip="${chip}"`)
  expect(text).toContain('<petName>Tom &amp; Co</petName>')
  expect(text).toContain('<photos><photo>a</photo></photos>')
  const rejected = await post(pet.replace('<photo>a</photo>', '').replace(chip, 'none'))
  expect(jsonOf(rejected)).toEqual({
    error: '/chip must be a uuid; /photos must have at least 1 item',
  })
})

test('a response of the type of a picture or a document is one', async () => {
  const binary = { schema: { type: 'string', format: 'binary' } }
  const get = (type: string, media: object) => ({
    get: { responses: { 200: { description: 'ok', content: { [type]: media } } } },
  })
  const from = writeDocument(
    'files.json',
    documentWith({
      '/png': get('image/png', binary),
      '/any-png': get('image/png', {}),
      '/pdf': get('application/pdf', binary),
      '/html': get('text/html', { schema: { type: 'object' } }),
    }),
  )
  const mock = await startMock({ contract: await loadContract({ from }) })
  const read = async (path: string): Promise<string> =>
    Buffer.from((await send(mock, { method: 'GET', path })).body).toString('latin1')
  expect(await read('/png')).toMatch(/^\x89PNG\r\n\x1a\n/)
  expect(await read('/any-png')).toMatch(/^\x89PNG\r\n\x1a\n/)
  expect(await read('/pdf')).toMatch(/^%PDF-/)
  expect(await read('/html')).toMatch(/^<!doctype html>/)
})

test('the mock of a document with such bodies conforms to it, strictly', async () => {
  const mock = await startMock({ contract: media })
  const { findings, entries } = await verify({
    contract: media,
    include: ['*'],
    target: mock.url,
    seed: 1,
    cases: 1200,
    sustained: 0,
    strict: true,
  })
  expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
  const untested = entries.filter(({ verdict }) => verdict.kind === 'untested')
  expect(untested.map(({ obligation }) => obligation.id)).toEqual([])
})
