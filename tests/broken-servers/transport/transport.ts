import { crash, onPlant } from '../store/faults.ts'
import type { BrokenServer, Parts, StoreResponse } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { lawfulParts } from '../store/store.ts'
import { bytesOf, head, lengthOf, raw } from './raw-http.ts'

const row = rowsOf('transport')

const anywhere = /^createPlant\/(response|request|auth)\//
const plants = /^createPlant\/(response\/(200|declared)|request\/body\/presence|request\/)/

type Which = (response: StoreResponse) => boolean
const isRejection: Which = ({ cause }) => cause !== 'none'
const isUntagged: Which = ({ cause, plant }) => cause === 'none' && plant?.tag === undefined

const sending = (which: Which, send: Parts['send']): Partial<Parts> => ({
  send: (response, out, exchange) =>
    which(response) ? send(response, out, exchange) : lawfulParts.send(response, out, exchange),
})

const withLength = (more: number): Parts['send'] =>
  raw(response => head(response, `Content-Length: ${lengthOf(response) + more}`) + response.body)

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const endless: Parts['send'] = async (response, out, exchange) => {
  out.writeHead(response.status, { 'content-type': 'application/json' })
  while (!out.destroyed) {
    out.write(' '.repeat(1024))
    await exchange.wait(2)
  }
}

/** Stores whose HTTP is wrong. */
export const transportServers: readonly BrokenServer[] = [
  row(
    'counts-length-in-characters',
    'The length of a Plant is counted in characters, which truncates Plants with accents.',
    /^createPlant\/(response\/|request\/(body\/(name|tag)|layout)\/)/,
    {
      send: (response, out, exchange) =>
        String(response.body).length === lengthOf(response)
          ? lawfulParts.send(response, out, exchange)
          : raw(cut =>
              Buffer.concat([
                Buffer.from(head(cut, `Content-Length: ${String(cut.body).length}`)),
                bytesOf(cut).subarray(0, String(cut.body).length),
              ]),
            )(response, out, exchange),
    },
  ),
  row(
    'announces-more-than-rejections-have',
    'The length of rejections is too large, and the connection ends.',
    anywhere,
    sending(isRejection, withLength(10)),
  ),
  row(
    'announces-more-than-untagged-plants-have',
    'The length of Plants without a tag is too large, and the connection ends.',
    plants,
    sending(isUntagged, withLength(10)),
  ),
  row(
    'announces-more-and-waits',
    'The length of rejections is too large, and the connection stays open.',
    anywhere,
    sending(
      isRejection,
      raw(response => head(response, `Content-Length: ${lengthOf(response) + 10}`) + response.body, 'stay'),
    ),
    hangs,
  ),
  row(
    'announces-less-than-rejections-have',
    'The length of rejections is too small.',
    anywhere,
    sending(isRejection, withLength(-5)),
  ),
  row(
    'ends-chunks-early',
    'The last chunk of rejections is missing.',
    anywhere,
    sending(
      isRejection,
      raw(response => head(response, 'Transfer-Encoding: chunked') + chunk(String(response.body))),
    ),
  ),
  row(
    'breaks-a-chunk',
    'A chunk size of rejections is not a number.',
    anywhere,
    sending(
      isRejection,
      raw(response => `${head(response, 'Transfer-Encoding: chunked')}xyz\r\n${response.body}\r\n0\r\n\r\n`),
    ),
  ),
  row(
    'says-chunked-and-is-not',
    'Rejections claim to be chunked, and are not.',
    anywhere,
    sending(
      isRejection,
      raw(response => head(response, 'Transfer-Encoding: chunked') + response.body),
    ),
  ),
  row(
    'sends-half-of-the-head',
    'The connection ends in the head of rejections.',
    anywhere,
    sending(
      isRejection,
      raw(response => head(response).slice(0, 30)),
    ),
  ),
  row(
    'sends-no-status',
    'The status line of rejections has no status.',
    anywhere,
    sending(
      isRejection,
      raw(
        response =>
          head(response, `Content-Length: ${lengthOf(response)}`).replace(/^HTTP\/1\.1 \d+/, 'HTTP/1.1') +
          response.body,
      ),
    ),
  ),
  row(
    'sends-body-alone',
    'Rejections are a body without a head.',
    anywhere,
    sending(
      isRejection,
      raw(({ body }) => Buffer.from(body)),
    ),
  ),
  row(
    'sends-two-lengths',
    'Rejections have two different lengths.',
    anywhere,
    sending(
      isRejection,
      raw(
        response =>
          head(response, `Content-Length: ${lengthOf(response)}`, 'Content-Length: 3') + response.body,
      ),
    ),
  ),
  row(
    'sends-negative-length',
    'The length of rejections is negative.',
    anywhere,
    sending(
      isRejection,
      raw(response => head(response, 'Content-Length: -1') + response.body),
    ),
  ),
  row(
    'sends-broken-header',
    'Rejections have a header line without a colon.',
    anywhere,
    sending(
      isRejection,
      raw(
        response =>
          head(response, `Content-Length: ${lengthOf(response)}`, 'this is no header') + response.body,
      ),
    ),
  ),
  row(
    'stops-in-the-body',
    'Rejections stop in the middle of the body.',
    anywhere,
    sending(
      isRejection,
      raw(
        response =>
          head(response, `Content-Length: ${lengthOf(response)}`) + String(response.body).slice(0, 5),
        'stay',
      ),
    ),
    hangs,
  ),
  row(
    'stops-after-the-head',
    'Plants without a tag stop after the head.',
    plants,
    sending(
      isUntagged,
      raw(response => head(response, `Content-Length: ${lengthOf(response)}`), 'stay'),
    ),
    hangs,
  ),
  row('never-ends', 'The body of rejections never ends.', anywhere, sending(isRejection, endless), hangs),
  row('says-gzip-and-is-not', 'Rejections claim to be compressed, and are not.', anywhere, {
    respond: response =>
      isRejection(response)
        ? { ...response, headers: { ...response.headers, 'content-encoding': 'gzip' } }
        : response,
  }),
  row('says-unknown-encoding', 'Plants without a tag have an unknown content encoding.', plants, {
    respond: response =>
      isUntagged(response)
        ? { ...response, headers: { ...response.headers, 'content-encoding': 'x-leaf' } }
        : response,
  }),
  row(
    'continues-and-stops',
    'Rejections are a 100 that nothing follows.',
    anywhere,
    sending(
      isRejection,
      raw(() => 'HTTP/1.1 100 Continue\r\n\r\n', 'stay'),
    ),
    hangs,
  ),
  row(
    'switches-protocols',
    'Plants without a tag switch to another protocol.',
    plants,
    sending(
      isUntagged,
      raw(() => 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: plant\r\n\r\n'),
    ),
    hangs,
  ),
  row('sends-status-999', 'Rejections have the status 999.', anywhere, {
    respond: response => (isRejection(response) ? { ...response, status: 999 } : response),
  }),
  row(
    'crashes-on-large-responses',
    'Plants of more than 16 KiB get a 500.',
    /^createPlant\/(request\/(body\/(name|tag)\/.*long|size)|response\/declared)/,
    onPlant(({ name, tag }) => name.length + (tag?.length ?? 0) > 16_384, crash),
  ),
]
