import Fastify from 'fastify'

const { PORT = '4020', TOKEN = 'secret' } = process.env

type NewPlant = { id: bigint; name: string; tag?: string }

// A double cannot hold every int64, so numbers are read from their text. In JSON Schema, 1.0 and 1e3 are integers too; a number
// that is not an integer stays a number.
const exactly = (source: string): bigint | number => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (whole + fraction).replace(/0+$/, '')
  const shift = Number(exponent) + whole.length - digits.length
  if (digits.replace(/^0+/, '') === '') return 0n
  return shift < 0 || shift > 30 ? Number(source) : BigInt(sign + digits) * 10n ** BigInt(shift)
}

const parseJson = (body: Buffer): unknown =>
  JSON.parse(
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
    (_, value, { source }) => (typeof value === 'number' && source ? exactly(source) : value),
  )

const isNewPlant = (body: unknown): body is NewPlant => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  const { id, name, tag } = body as Record<string, unknown>
  return (
    typeof id === 'bigint' &&
    id === BigInt.asIntN(64, id) &&
    typeof name === 'string' &&
    (typeof tag === 'string' || !Object.hasOwn(body, 'tag'))
  )
}

const failure = (message: string, error = 1) => ({ error, message })

const app = Fastify({ bodyLimit: 16 * 1024 * 1024, forceCloseConnections: true })

app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) =>
  parseJson(body),
)

// node:http accepts these requests, although HTTP/1.1 (RFC 9112, 3.2) forbids them.
app.addHook('onRequest', async ({ raw }, reply) => {
  const [host = '', ...more] = raw.headersDistinct.host ?? []
  if (raw.httpVersionMajor !== 1 || more.length > 0 || !/^[\w.:[\]-]*$/.test(host))
    return reply.code(400).header('connection', 'close').send(failure('not HTTP/1.1 with one Host'))
})

app.setErrorHandler((error, _, reply) =>
  reply.code(400).send(failure(error instanceof Error ? error.message : String(error))),
)

app.setNotFoundHandler((request, reply) =>
  request.url.split('?')[0] === '/plants'
    ? reply.code(405).header('allow', 'POST').send(failure('method not allowed', 405))
    : reply.code(404).send(failure('not found', 404)),
)

app.post('/plants', (request, reply) => {
  const credentials = request.raw.headersDistinct.authorization ?? []
  const [scheme = '', token] = credentials[0]?.split(/ +(.*)/s) ?? []
  if (credentials.length !== 1 || scheme.toLowerCase() !== 'bearer' || token !== TOKEN) {
    return reply.code(400).send(failure('a valid bearer token is needed', 2))
  }
  if (!isNewPlant(request.body)) return reply.code(400).send(failure('the body is not a NewPlant', 3))
  const { name, tag } = request.body
  return reply.send({ name, tag })
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log(`listening on ${app.listeningOrigin}`)
process.once('SIGTERM', () => app.close())
