import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { TokenForm } from '../../../spec/http/credential-placeholders.ts'
import { type FormPart, readMultipart, writeMultipart } from '../../../spec/http/multipart.ts'
import {
  curlCommand,
  extendCurl,
  fillRaw,
  fillToken,
  fillTokenIn,
  type HttpRequest,
  malformedHttpKinds,
  placeholder,
} from '../../../spec/index.ts'
import { latin1 } from '../../../spec/text/latin1.ts'

type Seen = {
  readonly method: string | undefined
  readonly target: string | undefined
  readonly headers: readonly (readonly string[])[]
  readonly body: Buffer
}

/** Runs the command of a request in a shell, and returns the request that a server received. */
const sent = async (request: HttpRequest, token = 'tok-EN.1'): Promise<Seen> => {
  const seen: Seen[] = []
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const raw = incoming.rawHeaders
    const headers = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))
    seen.push({ method: incoming.method, target: incoming.url, headers, body: Buffer.concat(chunks) })
    response.end('ok')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const command = curlCommand(request, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  // Read from standard input, like a pasted command.
  const shell = spawn('bash', ['-s'], { env: { ...process.env, PLANTSTORE_TOKEN: token }, timeout: 10_000 })
  shell.stdin.end(`${command}\n`)
  await once(shell, 'close')
  const [only] = seen
  if (only === undefined || seen.length > 1) throw new Error(`${seen.length} requests from ${command}`)
  return only
}

const request = (change: Partial<HttpRequest>): HttpRequest => ({
  method: 'POST',
  target: '/plants',
  headers: [
    ['Accept', 'application/json'],
    ['Content-Type', 'application/json'],
    ['Authorization', `Bearer ${placeholder('right')}`],
  ],
  body: Buffer.from('{"id":1}'),
  chunked: false,
  ...change,
})

const curlsOwn = /^(host|user-agent|content-length|transfer-encoding|expect)$/i

const expectSame = async (planned: HttpRequest, token = 'tok-EN.1'): Promise<Seen> => {
  const seen = await sent(planned, token)
  expect(seen.method).toBe(planned.method)
  expect(seen.target).toBe(fillToken(planned.target, token))
  expect(seen.headers.filter(([name = '']) => !curlsOwn.test(name))).toEqual(
    planned.headers.map(([name, value]) => [name, fillToken(value, token)]),
  )
  expect(seen.body.equals(fillTokenIn(planned.body ?? Buffer.alloc(0), token))).toBe(true)
  return seen
}

test.each([
  ['quotation marks', Buffer.from(`{"a":"it's \\"q\\" \`x\`"}`)],
  ['marks of the shell', Buffer.from('{"a":"$HOME $(touch x) `id` !! \\\\n ; & | > <"}')],
  ['the name of the variable', Buffer.from('PLANTSTORE_TOKEN $(exit 1) "$HOME"')],
  ['line ends and tabs', Buffer.from('{\n\t"a": 1\n}\n')],
  ['carriage returns and controls', Buffer.from('a\r\nb\u0001\u001b[31m')],
  ['NUL', Buffer.from('a\0b')],
  ['no text', Buffer.from([0xff, 0x00, 0xfe, 0x80])],
  ['other scripts and emoji', Buffer.from('{"name":"Édelweiß 植物 🌱 \u202e"}')],
  ['the token', Buffer.from(`{"a":"it's $x","token":"${placeholder('right')}","b":1}`)],
  ['an at sign in front', Buffer.from('@/etc/hostname')],
  ['nothing', Buffer.alloc(0)],
  ['many bytes', Buffer.from(' '.repeat(300_000))],
  ['nested arrays', Buffer.from(`{"it's":${'['.repeat(5000)}1${']'.repeat(5000)},"%":"-"}`)],
  ['nested objects', Buffer.from('{"a":'.repeat(10_000))],
  [
    'many different bytes',
    Buffer.from(Array.from({ length: 5000 }, (_, index) => `${index * index}`).join()),
  ],
])('a body with %s arrives byte for byte', async (_what, body) => {
  await expectSame(request({ body }))
})

test('a command for a body that repeats itself is short', () => {
  const body = Buffer.from(`{"id":1,"name":${'['.repeat(5000)}${']'.repeat(5000)}}`)
  const command = curlCommand(request({ body }), 'https://plants.example.test')
  expect(command.split(' | curl ')[0]).toBe(
    `{ printf %s '{"id":1,"name":'; yes '[' | head -n 5000 | tr -d '\\n'; yes ']' | head -n 5000 | tr -d '\\n'; printf %s '}'; }`,
  )
})

test.each(['cut', 'half', 'reversed', 'hex', 'percent', 'basic', 'upper-case'] as const)(
  'bash makes the form %s of the token',
  async form => {
    await expectSame(request({ headers: [['Authorization', `Bearer ${placeholder(form)}`]], body: null }))
  },
)

test('a request without a body or media type gets none from curl', async () => {
  await expectSame(request({ headers: [], body: null }))
  await expectSame(request({ headers: [['X-Empty', '']] }))
})

test.each([
  ['POST', '0'],
  ['PATCH', '0'],
  ['DELETE', undefined],
  ['GET', undefined],
])('curl announces the length of a %s without a body as %s', async (method, length) => {
  const { headers } = await expectSame(request({ method, headers: [], body: null }))
  const fields = new Map(headers.map(([name = '', value]) => [name.toLowerCase(), value]))
  expect([fields.get('content-length'), fields.get('transfer-encoding')]).toEqual([length, undefined])
})

test('a chunked body is chunked', async () => {
  const { headers } = await expectSame(request({ chunked: true }))
  expect(headers).toContainEqual(['Transfer-Encoding', 'chunked'])
})

test.each([
  '/a?b=%20c&d=[1]&e={x}',
  '/a/../b/./c',
  "/it's?$HOME=`id`&x=!y",
  `/a?access_token=${placeholder('right')}&x=$HOME!`,
])('the target %s arrives as it is', async target => {
  await expectSame(request({ target }))
})

test.each([
  [['Authorization', `Bearer ${placeholder('right')}`]],
  [['Authorization', 'Bearer éé']],
  [['X-Quotes', `"a" 'b' \\ $HOME \`id\` !! ${placeholder('right')}`]],
  [['X-Both', `é ${placeholder('right')}`]],
  [['X-Semi', 'a;b']],
] as const)('the header %j arrives as it is', async header => {
  await expectSame(request({ headers: [['Accept', '*/*'], ['Content-Type', 'a/b'], header] }))
})

test.each<TokenForm>([
  'right',
  'cut',
  'cut-front',
  'half',
  'lengthened',
  'lengthened-front',
  'doubled',
  'upper-case',
  'lower-case',
  'swapped-case',
  'basic',
  'basic-user',
])('the shell makes the same form %s of the token', async form => {
  await expectSame(
    request({
      headers: [
        ['Accept', '*/*'],
        ['Content-Type', 'a/b'],
        ['Authorization', `X ${placeholder(form)}`],
      ],
    }),
    `${'Long-Token.'.repeat(12)}z`,
  )
})

test('HEAD and other methods are sent as they are', async () => {
  for (const method of ['HEAD', 'GET', 'DELETE', 'PATCH', 'OPTIONS'])
    await expectSame(request({ method, body: null, headers: [] }))
})

test('the command is readable', () => {
  expect(curlCommand(request({}), 'https://plants.example.test')).toBe(
    `curl -sS -i -X POST 'https://plants.example.test/plants' -H 'Accept: application/json' -H 'Content-Type: application/json' -H "Authorization: Bearer $PLANTSTORE_TOKEN" --data-binary '{"id":1}'`,
  )
})

test('printf and nc send the same raw bytes, with token and extra headers from the environment', async () => {
  const base = new URL('http://store.test:81/api')
  const message = {
    method: 'POST',
    target: '/things',
    lines: [`Authorization: Bearer ${placeholder('right')}`, "X-Odd: 100% 'a' \\n $HOME `id` \u00e9"],
    body: '{"a":"\\u00e9"}',
  }
  for (const { name, make } of malformedHttpKinds)
    for (const raw of make(message)) {
      const command = extendCurl(curlCommand({ ...plain, raw }, base.href), ['X-Key'], false)
      // A stand-in for nc that prints its input.
      const shell = spawn('bash', ['-s'], {
        env: { ...process.env, PLANTSTORE_TOKEN: 'tok-EN.1', X_KEY: 'k 1' },
      })
      shell.stdin.end(`nc() { cat; }; sleep() { :; }\n${command}\n`)
      const [bytes] = await Promise.all([shell.stdout.toArray(), once(shell, 'close')])
      const expected = raw.pieces.map(piece => fillRaw(piece, base, 'tok-EN.1', [['X-Key', 'k 1']])).join('')
      expect(Buffer.concat(bytes).toString('latin1'), name).toBe(expected)
      expect(command.length).toBeLessThan(60_000)
    }
})

test('over TLS, raw bytes go through openssl, and the client closes its side if the test case requires it', () => {
  const raw = { pieces: ['a'], end: 'now', responses: 1 } as const
  expect(curlCommand({ ...plain, raw }, 'https://store.test/')).toBe(
    "printf 'a' | openssl s_client -quiet -connect store.test:443",
  )
  expect(curlCommand({ ...plain, raw }, 'http://[::1]:80/')).toBe("printf 'a' | nc -N ::1 80")
})

const plain: HttpRequest = { method: 'GET', target: '/', headers: [], body: null, chunked: false }

const part = (change: Partial<FormPart>): FormPart => ({
  name: 'alt',
  filename: null,
  contentType: null,
  headers: [],
  content: 'hello',
  ...change,
})

const png = latin1(Buffer.from('89504e470d0a1a0a00ff00', 'hex'))

test.each<[string, readonly FormPart[], RegExp]>([
  ['one text', [part({})], /--form-string 'alt=hello'$/],
  [
    'a text that looks like a file',
    [part({ content: '@x; "q" \\ $HOME it\'s' }), part({ content: '' })],
    /@x/,
  ],
  [
    'a file, a list and JSON',
    [
      part({
        name: 'file',
        filename: 'file.png',
        contentType: 'image/png',
        headers: [['X-Sum', 'a "b"']],
        content: png,
      }),
      part({ name: 'tags', content: 'a' }),
      part({ name: 'tags', content: latin1(Buffer.from('ü')) }),
      part({ name: 'meta', contentType: 'application/json', content: '{"a":"b;c"}' }),
    ],
    /^printf %s '[^']+' \| base64 -d \| curl .* -F 'file=@-;filename="file.png";type=image\/png;headers="X-Sum: a \\"b\\""' --form-string 'tags=a'/,
  ],
  [
    'a file that is a text',
    [part({ filename: 'a.txt', contentType: 'text/plain', content: "it's" })],
    /^printf %s .* \| curl .* -F /,
  ],
  ['a file without a type', [part({ filename: 'a' })], /--data-binary @-$/],
  [
    'two files',
    [part({ filename: 'a', contentType: 'text/plain' }), part({ filename: 'b', contentType: 'text/plain' })],
    /--data-binary @-$/,
  ],
  ['a name that curl would split', [part({ name: 'a=b' })], /--data-binary @-$/],
])('curl sends %s as the same parts', async (_what, parts, expected) => {
  const { body, boundary } = writeMultipart(parts)
  const type = `multipart/form-data; boundary=${boundary}`
  const planned = request({
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', type],
    ],
    body,
  })
  expect(curlCommand(planned, 'http://localhost')).toMatch(expected)
  const seen = await sent(planned)
  const received = seen.headers.find(([name]) => name === 'Content-Type')?.[1] ?? null
  expect(readMultipart(seen.body, received)).toEqual({ ok: true, parts })
})

test('a broken multipart body is sent as its bytes', async () => {
  const type = 'multipart/form-data; boundary=form-data-boundary'
  const headers = [['Content-Type', type]] as const
  await expectSame(request({ headers: [['Accept', '*/*'], ...headers], body: Buffer.from('--other--\r\n') }))
})
