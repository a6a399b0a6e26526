import { type HttpRequest, header } from '../../spec/index.ts'
import { type Combination, name } from './combinations.ts'
import type { Sent } from './readings.ts'

const pairsIn = (text: string, separator: RegExp): Sent => ({
  kind: 'pairs',
  pairs: text
    .split(separator)
    .filter(Boolean)
    .map(pair => {
      const [key = '', ...rest] = pair.split('=')
      return [decodeURIComponent(key), rest.join('=')]
    }),
})

/** What a request says of the parameter or field of a combination. */
export const sentIn = (
  { place: { in: part } }: Combination,
  { target, headers, body }: HttpRequest,
): Sent => {
  const [path = '', query = ''] = target.split('?')
  switch (part) {
    case 'path':
      return { kind: 'text', text: path.split('/').slice(2).join('/') }
    case 'query':
      return pairsIn(query, /&/)
    case 'cookie':
      return pairsIn(header(headers, 'cookie') ?? '', /; */)
    case 'form':
      return pairsIn(new TextDecoder().decode(body ?? new Uint8Array()), /&/)
    case 'multipart':
      return { kind: 'pairs', pairs: partsIn(body ?? new Uint8Array()) }
    default:
      return { kind: 'text', text: header(headers, name) }
  }
}

const partsIn = (body: Uint8Array): readonly (readonly [string, string])[] =>
  [
    ...new TextDecoder()
      .decode(body)
      .matchAll(
        /Content-Disposition: form-data; name="(\w+)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/g,
      ),
  ].map(([, key = '', text = '']) => [key, encodeURIComponent(text)] as const)

const boundary = 'wire'

/** A request that says this. */
export const requestOf = (combination: Combination, sent: Sent): Omit<HttpRequest, 'chunked'> => {
  const { id, place } = combination
  const text = sent.kind === 'text' ? sent.text : null
  const pairs = sent.kind === 'pairs' ? sent.pairs : []
  const joined = (separator: string): string =>
    pairs.map(([key, value]) => `${encodeURIComponent(key)}=${value}`).join(separator)
  const of = (changes: Partial<HttpRequest>): Omit<HttpRequest, 'chunked'> => ({
    method: 'GET',
    target: `/${id}`,
    headers: [],
    body: null,
    ...changes,
  })
  switch (place.in) {
    case 'path':
      return of({ target: `/${id}/${text}` })
    case 'query':
      return of({ target: pairs.length === 0 ? `/${id}` : `/${id}?${joined('&')}` })
    case 'cookie':
      return of(pairs.length === 0 ? {} : { headers: [['Cookie', joined('; ')]] })
    case 'form':
      return of({
        method: 'POST',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: new TextEncoder().encode(['k=x', joined('&')].filter(Boolean).join('&')),
      })
    case 'multipart':
      return of({
        method: 'POST',
        headers: [['Content-Type', `multipart/form-data; boundary=${boundary}`]],
        body: new TextEncoder().encode(
          `${[['k', 'x'] as const, ...pairs]
            .map(
              ([key, value]) =>
                `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${decodeURIComponent(value)}\r\n`,
            )
            .join('')}--${boundary}--\r\n`,
        ),
      })
    default:
      return of(text === null ? {} : { headers: [[name, text]] })
  }
}
