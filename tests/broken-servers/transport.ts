import { crash, onPlant } from './faults.ts'
import type { Answer, Asked, Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'
import { lawfulParts } from './store.ts'

const row = rowsOf('transport')

const anywhere = /^createPlant\/(response|request|auth)\//
const plants = /^createPlant\/(response\/(200|declared)|request\/body\/presence|request\/)/

type Which = (answer: Answer) => boolean
const isRefusal: Which = ({ cause }) => cause !== 'none'
const isUntagged: Which = ({ cause, plant }) => cause === 'none' && plant?.tag === undefined

const sending = (which: Which, send: Parts['send']): Partial<Parts> => ({
  send: (answer, response, asked) =>
    which(answer) ? send(answer, response, asked) : lawfulParts.send(answer, response, asked),
})

const bytesOf = ({ body }: Answer) => Buffer.from(body)
const length = (answer: Answer) => bytesOf(answer).length

const head = ({ status }: Answer, ...lines: readonly string[]) =>
  `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Bad Request'}\r\n${['Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`

/** Writes past node:http, which would not let such bytes out. */
const raw =
  (make: (answer: Answer, asked: Asked) => string | Buffer, then: 'end' | 'stay' = 'end'): Parts['send'] =>
  (answer, _, asked) => {
    const bytes = make(answer, asked)
    if (then === 'end') asked.request.socket.end(bytes)
    else asked.request.socket.write(bytes)
  }

const withLength = (more: number): Parts['send'] =>
  raw(answer => head(answer, `Content-Length: ${length(answer) + more}`) + answer.body)

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const endless: Parts['send'] = async (answer, response, asked) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  while (!response.destroyed) {
    response.write(' '.repeat(1024))
    await asked.wait(2)
  }
}

export const transportServers: readonly Broken[] = [
  row(
    'counts-length-in-characters',
    'The length of a Plant is counted in characters, so that accents cut it short.',
    /^createPlant\/(response\/|request\/(body\/(name|tag)|layout)\/)/,
    {
      send: (answer, response, asked) =>
        String(answer.body).length === length(answer)
          ? lawfulParts.send(answer, response, asked)
          : raw(given =>
              Buffer.concat([
                Buffer.from(head(given, `Content-Length: ${String(given.body).length}`)),
                bytesOf(given).subarray(0, String(given.body).length),
              ]),
            )(answer, response, asked),
    },
  ),
  row(
    'promises-more-than-refusals-have',
    'The length of refusals is too large, and the connection dies.',
    anywhere,
    sending(isRefusal, withLength(10)),
  ),
  row(
    'promises-more-than-untagged-plants-have',
    'The length of Plants without a tag is too large, and the connection dies.',
    plants,
    sending(isUntagged, withLength(10)),
  ),
  row(
    'promises-more-and-waits',
    'The length of refusals is too large, and nothing follows.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, `Content-Length: ${length(answer) + 10}`) + answer.body, 'stay'),
    ),
  ),
  row(
    'promises-less-than-refusals-have',
    'The length of refusals is too small.',
    anywhere,
    sending(isRefusal, withLength(-5)),
  ),
  row(
    'ends-chunks-early',
    'The last chunk of refusals is missing.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, 'Transfer-Encoding: chunked') + chunk(String(answer.body))),
    ),
  ),
  row(
    'breaks-a-chunk',
    'The size of a chunk of refusals is no number.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => `${head(answer, 'Transfer-Encoding: chunked')}xyz\r\n${answer.body}\r\n0\r\n\r\n`),
    ),
  ),
  row(
    'says-chunked-and-is-not',
    'Refusals are announced as chunks, and are none.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, 'Transfer-Encoding: chunked') + answer.body),
    ),
  ),
  row(
    'sends-half-of-the-head',
    'The connection dies in the head of refusals.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer).slice(0, 30)),
    ),
  ),
  row(
    'sends-no-status',
    'The first line of refusals has no status.',
    anywhere,
    sending(
      isRefusal,
      raw(
        answer =>
          head(answer, `Content-Length: ${length(answer)}`).replace(/^HTTP\/1\.1 \d+/, 'HTTP/1.1') +
          answer.body,
      ),
    ),
  ),
  row(
    'sends-body-alone',
    'Refusals are a body without a head.',
    anywhere,
    sending(
      isRefusal,
      raw(({ body }) => Buffer.from(body)),
    ),
  ),
  row(
    'sends-two-lengths',
    'Refusals have two lengths that differ.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, `Content-Length: ${length(answer)}`, 'Content-Length: 3') + answer.body),
    ),
  ),
  row(
    'sends-negative-length',
    'The length of refusals is negative.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, 'Content-Length: -1') + answer.body),
    ),
  ),
  row(
    'sends-broken-header',
    'A header of refusals is no header.',
    anywhere,
    sending(
      isRefusal,
      raw(answer => head(answer, `Content-Length: ${length(answer)}`, 'this is no header') + answer.body),
    ),
  ),
  row(
    'stops-in-the-body',
    'Refusals stop in the middle of the body.',
    anywhere,
    sending(
      isRefusal,
      raw(
        answer => head(answer, `Content-Length: ${length(answer)}`) + String(answer.body).slice(0, 5),
        'stay',
      ),
    ),
  ),
  row(
    'stops-after-the-head',
    'Plants without a tag stop after the head.',
    plants,
    sending(
      isUntagged,
      raw(answer => head(answer, `Content-Length: ${length(answer)}`), 'stay'),
    ),
  ),
  row('never-ends', 'The body of refusals has no end.', anywhere, sending(isRefusal, endless)),
  row('says-gzip-and-is-not', 'Refusals are announced as compressed, and are not.', anywhere, {
    respond: answer =>
      isRefusal(answer) ? { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } } : answer,
  }),
  row(
    'says-unknown-encoding',
    'Plants without a tag are announced in an encoding that nobody knows.',
    plants,
    {
      respond: answer =>
        isUntagged(answer)
          ? { ...answer, headers: { ...answer.headers, 'content-encoding': 'x-leaf' } }
          : answer,
    },
  ),
  row(
    'continues-and-stops',
    'Refusals are a 100, and nothing follows.',
    anywhere,
    sending(
      isRefusal,
      raw(() => 'HTTP/1.1 100 Continue\r\n\r\n', 'stay'),
    ),
  ),
  row(
    'switches-protocols',
    'Plants without a tag are answered with another protocol.',
    plants,
    sending(
      isUntagged,
      raw(() => 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: plant\r\n\r\n'),
    ),
  ),
  row('sends-status-999', 'Refusals have a status that does not exist.', anywhere, {
    respond: answer => (isRefusal(answer) ? { ...answer, status: 999 } : answer),
  }),
  row(
    'crashes-on-large-answers',
    'Plants of more than 16 KiB get a 500.',
    /^createPlant\/(request\/(body\/(name|tag)\/.*long|size)|response\/declared)/,
    onPlant(({ name, tag }) => name.length + (tag?.length ?? 0) > 16_384, crash),
  ),
]
