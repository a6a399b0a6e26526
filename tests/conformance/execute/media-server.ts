import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { listen } from '../../listen.ts'

/** What a server of `mediaDocument` may do differently. */
export type Habits = {
  readonly needsNoFile?: boolean
  readonly takesAnyFile?: boolean
  readonly needsNoChecksum?: boolean
  readonly convertsLoosely?: boolean
  readonly takesAnyMeta?: boolean
  readonly takesAnyMedia?: boolean
  readonly takesLongNotes?: boolean
  readonly keepsOneTag?: boolean
  readonly takesAnyXml?: boolean
  readonly takesAnyRoot?: boolean
  readonly needsNoChip?: boolean
  readonly losesTowns?: boolean
  readonly takesAnyCount?: boolean
  readonly answersBadXml?: boolean
  readonly answersWithoutPhotos?: boolean
  readonly answersLongNotes?: boolean
}

/** Why a request is rejected. */
class Fault extends Error {}

const need = (isRight: boolean, fault: string): void => {
  if (!isRight) throw new Fault(fault)
}

type Answer = { readonly status: number; readonly type: string; readonly body: string }

/** Starts a server of that document that shares no code with the toolkit: it reads bodies with what Node and a library have. */
export const startMedia = async (
  habits: Habits = {},
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer(async (request, response) => {
    try {
      send(response, await answerTo(request, habits))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const status = request.url === '/image' ? 422 : 400
      send(response, { status, type: 'application/json', body: JSON.stringify({ error: error.message }) })
    }
  })
  return listen(server)
}

const send = (response: ServerResponse, { status, type, body }: Answer): void => {
  response.writeHead(status, { 'content-type': type }).end(body)
}

const handlers: Readonly<
  Record<
    string,
    {
      readonly type: string
      readonly handle: (body: Buffer, type: string, habits: Habits) => Answer | Promise<Answer>
    }
  >
> = {
  'PUT /image': { type: 'multipart/form-data', handle: (...given) => putImage(...given) },
  'POST /pets': { type: 'application/xml', handle: (...given) => addPet(...given) },
  'POST /orders': { type: 'application/x-www-form-urlencoded', handle: (...given) => order(...given) },
  'PUT /note': { type: 'text/plain', handle: (...given) => note(...given) },
}

const answerTo = async (request: IncomingMessage, habits: Habits): Promise<Answer> => {
  const path = request.url?.split('?')[0]
  const found = handlers[`${request.method} ${path}`]
  const body = Buffer.concat(await Array.fromAsync(request))
  if (found === undefined)
    return {
      status: Object.keys(handlers).some(key => key.endsWith(` ${path}`)) ? 405 : 404,
      type: 'application/json',
      body: '{"error":"nothing here"}',
    }
  const type = request.headers['content-type'] ?? ''
  need(
    habits.takesAnyMedia === true || type.split(';')[0]?.trim().toLowerCase() === found.type,
    'the type of the body',
  )
  return found.handle(body, type, habits)
}

const isInteger = (value: string): boolean => /^-?\d+$/.test(value)

const putImage = async (body: Buffer, type: string, habits: Habits): Promise<Answer> => {
  const form = await new Response(body, {
    headers: { 'content-type': type.replace(/^[^;]*/, each => each.toLowerCase()) },
  })
    .formData()
    .catch(() => null)
  if (form === null) throw new Fault('no form data')
  const file = form.get('file')
  const alt = form.get('alt')
  const width = form.get('width')
  const tags = form.getAll('tags').map(String)
  need(habits.needsNoFile === true || file instanceof File, 'no file')
  if (file instanceof File) {
    need(
      habits.takesAnyFile === true || ['image/png', 'image/gif'].includes(file.type),
      'the type of the file',
    )
    const magic = Buffer.from(await file.arrayBuffer()).toString('latin1')
    need(habits.takesAnyFile === true || /^(?:\x89PNG\r\n|GIF8)/.test(magic), 'no picture')
    // FormData has no headers of parts.
    need(
      habits.needsNoChecksum === true || /^x-checksum: .+\r$/im.test(body.toString('latin1')),
      'no checksum',
    )
  }
  if (typeof alt !== 'string' || alt === '' || [...alt].length > 20) throw new Fault('no alt, or too long')
  if (width !== null)
    need(
      habits.convertsLoosely === true
        ? !(Number.parseInt(String(width), 10) < 1)
        : isInteger(String(width)) && BigInt(String(width)) >= 1n,
      'the width',
    )
  need(tags.length <= 3 && !tags.includes(''), 'the tags')
  const meta = form.get('meta')
  if (meta !== null && habits.takesAnyMeta !== true)
    checkMeta(typeof meta === 'string' ? meta : await meta.text())
  const said = habits.keepsOneTag === true ? tags.slice(0, 1) : tags
  return {
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ alt, bytes: body.length, ...(tags.length === 0 ? {} : { tags: said }) }),
  }
}

const checkMeta = (text: string): void => {
  const read = (): unknown => {
    try {
      return JSON.parse(text, (_key, value, context: { source?: string } = {}) =>
        typeof value === 'number' &&
        !/^-?\d+(?:\.0+)?(?:[eE]\+?\d+)?$/.test(context.source ?? '') &&
        !Number.isInteger(value)
          ? 'fraction'
          : value,
      )
    } catch {
      throw new Fault('meta is no JSON')
    }
  }
  const meta = read() as { by?: unknown; stars?: unknown } | null
  need(typeof meta === 'object' && meta !== null && !Array.isArray(meta), 'meta is no object')
  need(typeof meta?.by === 'string', 'meta has no author')
  need(meta?.stars === undefined || typeof meta.stars === 'number', 'the stars')
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: name => name === 'photo' || name === 'petName' || name === 'age' || name === 'status',
})

const escaped = (text: string): string => text.replace(/[&<>"\r]/g, char => `&#${char.charCodeAt(0)};`)

const addPet = (body: Buffer, _type: string, habits: Habits): Answer => {
  const text = body.toString()
  if (habits.takesAnyXml !== true) {
    need(/^\s*</.test(text) && XMLValidator.validate(text) === true, 'no XML')
    need(!/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text), 'an unknown entity')
  }
  const read = (): Record<string, Record<string, unknown>> => {
    try {
      return parser.parse(text)
    } catch {
      throw new Fault('no XML')
    }
  }
  const parsed = read()
  need(
    habits.takesAnyXml === true || Object.keys(parsed).filter(name => name !== '?xml').length === 1,
    'several roots',
  )
  const pet =
    habits.takesAnyRoot === true ? Object.entries(parsed).find(([name]) => name !== '?xml')?.[1] : parsed.pet
  need(typeof pet === 'object', 'no pet')
  const id = pet?.['@_chip']
  need(
    habits.needsNoChip === true ||
      (typeof id === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)),
    'the id',
  )
  const one = (name: string): string | undefined => (pet?.[name] as string[] | undefined)?.[0]
  const name = one('petName')
  need(typeof name === 'string' && name !== '', 'the name')
  const age = one('age')
  need(age === undefined || /^\d+$/.test(age) || age === '-0', 'the age')
  const status = one('status')
  need(status === undefined || status === 'free' || status === 'sold', 'the status')
  const { photo: photos } = (pet?.photos ?? {}) as { photo?: string[] }
  if (photos === undefined) throw new Fault('no photos')
  return {
    status: 201,
    type: 'application/xml',
    body: [
      `<pet xmlns="urn:pets"${id === undefined ? '' : ` chip="${id}"`}>`,
      `<petName>${escaped(name ?? '')}</petName>`,
      age === undefined ? '' : `<age>${age}</age>`,
      status === undefined ? '' : `<status>${status}</status>`,
      habits.answersWithoutPhotos === true
        ? ''
        : `<photos>${photos.map(each => `<photo>${escaped(each)}</photo>`).join('')}</photos>`,
      habits.answersBadXml === true ? '</Pet>' : '</pet>',
    ].join(''),
  }
}

const order = (body: Buffer, _type: string, habits: Habits): Answer => {
  const form = new URLSearchParams(body.toString())
  const [name, town] = [form.get('customer[name]'), form.get('customer[address][town]')]
  need(name !== null && name !== '', 'no name')
  if ([...form.keys()].some(key => key.startsWith('customer[address]')))
    need(habits.losesTowns === true || town !== null, 'no town')
  const skus = [...form.keys()].flatMap(key => /^lines\[(\d+)\]/.exec(key)?.[1] ?? [])
  const count = new Set(skus).size
  need(count >= 1 && count <= 3, 'the number of lines')
  for (let index = 0; index < count; index++) {
    need((form.get(`lines[${index}][sku]`) ?? '') !== '', 'no sku')
    const number = form.get(`lines[${index}][count]`)
    need(
      number === null || habits.takesAnyCount === true || (isInteger(number) && BigInt(number) >= 1n),
      'the count',
    )
  }
  return { status: 200, type: 'application/json', body: '{}' }
}

const note = (body: Buffer, _type: string, habits: Habits): Answer => {
  const text = body.toString()
  const { length } = [...text]
  need(length >= 2 && (habits.takesLongNotes === true || length <= 30), 'the length of the note')
  const said = habits.answersLongNotes === true ? `noted ${text}` : 'noted'
  return { status: 200, type: 'text/plain; charset=utf-8', body: `${said} ` }
}
