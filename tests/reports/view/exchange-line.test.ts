import { expect, test } from 'vitest'
import { requestLine } from '../../../reports/view/exchange-text.ts'
import type { RecordedRequest } from '../../../spec/index.ts'
import { recordBody } from '../../../spec/ledger/recorded-exchange.ts'

const line = (body: string, contentType: string, limit = 200): string => {
  const bytes = Buffer.from(body, 'latin1')
  const request: RecordedRequest = {
    method: 'PUT',
    target: '/image',
    headers: [
      ['Authorization', 'Bearer {{token}}'],
      ['Content-Type', contentType],
    ],
    body: recordBody(bytes, 1000),
    chunked: false,
  }
  return requestLine(request, limit)
}

const multipart = 'multipart/form-data; boundary=form-data-boundary'
const part = (head: string, content: string): string =>
  `--form-data-boundary\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const file = part('name="file"; filename="a.png"\r\nContent-Type: image/png\r\nX-Sum: 1', '\x89PNG\x00')

test('the parts of multipart are shown by name, and files by their size', () => {
  expect(line(`${file}${part('name="alt"', 'a\r\n\x1b[31m')}--form-data-boundary--`, multipart)).toBe(
    'PUT /image (Content-Type: multipart/form-data) file=<5 bytes> (a.png, image/png, X-Sum: 1); alt=a\\r\\n\\u001b[31m',
  )
})

test('what cannot be read as multipart is shown as its bytes', () => {
  expect(line(file, multipart)).toMatch(/^PUT \/image \(Content-Type: multipart\/form-data\) base64 LS1mb3Jt/)
  expect(line('--x--', 'multipart/form-data; boundary=y')).toBe(
    'PUT /image (Content-Type: multipart/form-data; boundary=y) --x--',
  )
  const long = `${part('name="alt"', 'x'.repeat(2000))}--form-data-boundary--`
  expect(line(long, multipart, 30)).toMatch(/ --form-data-boundary\\r\\nConten… \([\d,]+ bytes\)$/)
})
