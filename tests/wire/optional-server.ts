import { createServer, type IncomingMessage } from 'node:http'
import { type Listening, listen } from '../listen.ts'

/** Where conforming servers differ, because the wire does not show it; and faults, which are none of these. */
export type Habits = {
  /** Of several values of what is no list, the first is taken. */
  readonly takesFirst?: boolean
  /** A text without characters is no value. */
  readonly emptyIsNothing?: boolean
  /** A slash in a segment is one, however it is written. */
  readonly decodesSlashes?: boolean
  readonly takesAnyNumber?: boolean
  readonly takesAnyItem?: boolean
  readonly takesNoList?: boolean
  readonly takesAnyPage?: boolean
  readonly takesAnyField?: boolean
}

type Check = (text: string) => boolean

const isInteger: Check = text => /^-?(0|[1-9]\d*)(\.0+)?$/.test(text) || isWhole(text)
const isWhole = (text: string): boolean =>
  /^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(text) && Number.isInteger(Number(text))
const isNumber: Check = text => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
const isBoolean: Check = text => text === 'true' || text === 'false'
const isKind: Check = text => text === 'fern' || text === 'moss'
const isDate: Check = text => {
  const at = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
const isNote: Check = text => [...text].length >= 2 && [...text].length <= 5

/** A server of that document that shares no code with the toolkit. */
export const startOptional = (habits: Habits = {}): Promise<Listening> =>
  listen(
    createServer(async (request, response) => {
      const answer = (status: number, headers: Readonly<Record<string, string>> = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}')
      }
      const body = Buffer.concat(await Array.fromAsync(request))
      const url = new URL(request.url ?? '', 'http://x')
      const path = habits.decodesSlashes ? decodeURIComponent(url.pathname) : url.pathname
      const route = path.startsWith('/things/') ? '/things' : path
      const [method, isRight] = routes[route] ?? []
      if (method === undefined || isRight === undefined) return answer(404)
      if (request.method !== method) return answer(405, { allow: method })
      const rest = path
        .split('/')
        .slice(2)
        .map(text => (habits.decodesSlashes ? text : decodeURIComponent(text)))
      if (route === '/things' && (rest.length !== 2 || rest.includes(''))) return answer(404)
      answer(isRight(new Values(habits, request, url, body), rest) ? 200 : 422)
    }),
  )

class Values {
  readonly habits: Habits
  readonly request: IncomingMessage
  readonly query: URLSearchParams
  readonly body: Buffer
  constructor(habits: Habits, request: IncomingMessage, { searchParams }: URL, body: Buffer) {
    this.habits = habits
    this.request = request
    this.query = searchParams
    this.body = body
  }
  /** Whether what comes for one value is right. */
  one(texts: readonly string[], check: Check): boolean {
    const text = this.habits.takesFirst ? texts[0] : texts.at(-1)
    if (text === undefined || (text === '' && this.habits.emptyIsNothing)) return true
    return check(text) || (this.habits.takesAnyNumber === true && check === isInteger)
  }
  many(texts: readonly string[], check: Check): boolean {
    if (this.habits.takesNoList && texts.length > 1) return false
    return this.habits.takesAnyItem === true || texts.every(check)
  }
  cookies(name: string): readonly string[] {
    return (this.request.headers.cookie ?? '')
      .split(/; */)
      .flatMap(pair => (pair.startsWith(`${name}=`) ? [decodeURIComponent(pair.slice(name.length + 1))] : []))
  }
  header(name: string): readonly string[] {
    const text = this.request.headers[name]
    return text === undefined ? [] : [String(text)]
  }
  /** The fields of a form or its parts; null if it is none. */
  fields(type: RegExp): URLSearchParams | null {
    const given = this.request.headers['content-type'] ?? ''
    if (!type.test(given)) return null
    if (!/^multipart/i.test(given)) return new URLSearchParams(this.body.toString())
    const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(given)
    const mark = boundary?.[1] ?? boundary?.[2]
    const text = this.body.toString('latin1')
    if (mark === undefined || !text.trimEnd().endsWith(`--${mark}--`)) return null
    const all = new URLSearchParams()
    for (const part of `\r\n${text}`.split(`\r\n--${mark}`).slice(1, -1)) {
      const name = /^Content-Disposition:.*?[;\s]name="([^"]*)"/im.exec(part)?.[1]
      const end = part.indexOf('\r\n\r\n')
      if (name === undefined || end < 0) return null
      all.append(name, Buffer.from(part.slice(end + 4), 'latin1').toString())
    }
    return all
  }
}

type Route = readonly [method: string, isRight: (values: Values, path: readonly string[]) => boolean]

const routes: Readonly<Record<string, Route | undefined>> = {
  '/lists': [
    'GET',
    values => {
      const all = (name: string): readonly string[] => values.query.getAll(name)
      return (
        values.many(all('ids'), isInteger) &&
        values.many(all('xs'), isNumber) &&
        values.many(all('flags'), isBoolean) &&
        values.many(all('kinds'), isKind) &&
        values.many(all('days'), isDate) &&
        all('some').length > 0 &&
        all('some').length < 4 &&
        all('some').every(isInteger)
      )
    },
  ],
  '/opt': [
    'GET',
    values =>
      Object.entries({ n: isInteger, f: isNumber, b: isBoolean, s: isNote, k: isKind, d: isDate }).every(
        ([name, check]) => values.one(values.query.getAll(name), check),
      ),
  ],
  '/head': [
    'GET',
    values =>
      values.one(values.header('x-n'), isInteger) &&
      values.many(
        values.header('x-list').flatMap(text => text.split(',').map(each => each.trim())),
        isInteger,
      ) &&
      values.one(values.cookies('c'), isInteger) &&
      values.one(values.cookies('on'), isBoolean),
  ],
  '/things': ['GET', (_values, [n = '', s = '']) => isInteger(n) && /^[a-z]{2,4}$/.test(s)],
  '/page': [
    'GET',
    values => {
      const from =
        (least: number): Check =>
        text =>
          isInteger(text) && Number(text) >= least
      return (
        values.habits.takesAnyPage === true ||
        (values.one(values.query.getAll('page'), from(0)) && values.one(values.query.getAll('size'), from(1)))
      )
    },
  ],
  '/form': [
    'POST',
    values => {
      const form = values.fields(/^application\/x-www-form-urlencoded\s*(;|$)/i)
      return form !== null && isRightForm(values, form) && form.has('n') && form.getAll('n').every(isInteger)
    },
  ],
  '/upload': [
    'POST',
    values => {
      const form = values.fields(/^multipart\/form-data\s*;/i)
      return (
        form !== null &&
        isRightForm(values, form) &&
        form.has('file') &&
        values.one(form.getAll('n'), isInteger)
      )
    },
  ],
}

const isRightForm = (values: Values, form: URLSearchParams): boolean =>
  values.habits.takesAnyField === true ||
  (values.many(form.getAll('ids'), isInteger) &&
    values.one(form.getAll('note'), isNote) &&
    values.one(form.getAll('on'), isBoolean))
