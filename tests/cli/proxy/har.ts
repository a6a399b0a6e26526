/** A request as a file has it, by default a POST of a plant, and its response. */
type Sent = {
  readonly url?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status?: number
  readonly answer?: string
}

const fieldsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))

/** A HAR file as a browser writes it. */
export const harOf = (sent: readonly Sent[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      entries: sent.map(({ url, method = 'POST', headers = {}, body, status = 200, answer = '' }) => ({
        startedDateTime: '2026-11-27T10:00:00.000Z',
        time: 5,
        request: {
          method,
          url: url ?? 'https://shop.test/plants',
          headers: fieldsOf({
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          }),
          ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
        },
        response: {
          status,
          headers: fieldsOf({ 'content-type': 'application/json' }),
          content: { size: Buffer.byteLength(answer), mimeType: 'application/json', text: answer },
        },
      })),
    },
  })
