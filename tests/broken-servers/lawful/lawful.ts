import { withJson } from '../store/faults.ts'
import type { LawfulServer, Parts, StoreResponse } from '../store/model.ts'
import { lawfulParts } from '../store/store.ts'
import { frameworks } from './frameworks.ts'
import { uncommonHttp } from './http.ts'
import { oddities } from './oddities.ts'
import { uncommonResponses } from './responses.ts'
import { lawful as row } from './row.ts'

const notStrict = (what: Partial<Parts>): readonly [Partial<Parts>, { readonly strict: false }] => [
  what,
  { strict: false },
]

const long = (text: unknown, most: number) => typeof text === 'string' && text.length > most

/** Rejects plants with strings that match, at the price of a warning. */
const rejecting = (matches: (text: string) => boolean) =>
  notStrict({
    respond: response =>
      response.cause === 'none' &&
      [response.plant?.name, response.plant?.tag].some(text => text !== undefined && matches(text))
        ? withJson(response, 400, { error: 9, message: 'not taken here' })
        : response,
  })

const timing: readonly LawfulServer[] = [
  row(
    'slow',
    'Every response takes 30 ms.',
    {
      respond: async (response, { wait }) => {
        await wait(30)
        return response
      },
    },
    { sustained: true },
  ),
  row(
    'jittery',
    'Responses take up to 40 ms, each a different time.',
    {
      respond: async (response, { nth, wait }) => {
        await wait((nth * 7919) % 41)
        return response
      },
    },
    { sustained: true },
  ),
  row(
    'slow-to-start',
    'The first responses take 300 ms.',
    {
      respond: async (response, { nth, wait }) => {
        if (nth <= 3) await wait(300)
        return response
      },
    },
    { sustained: true },
  ),
  row(
    'drips',
    'The head of a response comes first, the body 10 ms later.',
    {
      send: async ({ status, headers, body }, out, { wait }) => {
        out.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
        out.flushHeaders()
        await wait(10)
        out.end(body)
      },
    },
    { sustained: true },
  ),
  row(
    'one-at-a-time',
    'One request is served at a time; the others wait.',
    () => {
      let last: Promise<void> = Promise.resolve()
      return {
        respond: (response, { wait }) => {
          const mine = last.then(() => wait(2))
          last = mine.catch(() => undefined)
          return mine.then(() => response)
        },
      }
    },
    { sustained: true },
  ),
]

const busy = (response: StoreResponse, status: number): StoreResponse => ({
  ...withJson(response, status, { error: status, message: 'busy' }),
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
})

const remembering: readonly LawfulServer[] = [
  row(
    'rejects-duplicates',
    'An id is accepted only once.',
    () => {
      const taken = new Set<bigint>()
      return {
        respond: response => {
          if (response.cause !== 'none' || !response.plant) return response
          if (taken.has(response.plant.id))
            return withJson(response, 400, { error: 5, message: 'the id is taken' })
          taken.add(response.plant.id)
          return response
        },
      }
    },
    { sustained: true },
  ),
  row(
    'busy-now-and-then',
    'Three early requests, and one in three thousand, get a 503 with a Retry-After of one second.',
    {
      respond: (response, { nth }) =>
        (nth >= 50 && nth < 53) || nth % 3000 === 0 ? busy(response, 503) : response,
    },
    { kind: 'busy', sustained: true },
  ),
  row(
    'limits-its-rate',
    'Three early requests get a 429 with a Retry-After of one second.',
    { respond: (response, { nth }) => (nth >= 80 && nth < 83 ? busy(response, 429) : response) },
    { kind: 'busy', sustained: true },
  ),
]

const particular: readonly LawfulServer[] = [
  row('rejects-empty-strings', 'Empty names and tags are rejected.', ...rejecting(text => text === '')),
  row(
    'rejects-blank-strings',
    'Names and tags of white space alone are rejected.',
    ...rejecting(text => text.trim() === ''),
  ),
  row(
    'rejects-control-characters',
    'Control characters are rejected.',
    ...rejecting(text => /\p{Cc}/u.test(text)),
  ),
  row('rejects-nul', 'NUL characters are rejected.', ...rejecting(text => text.includes('\0'))),
  row(
    'rejects-long-strings',
    'Strings of more than 255 characters are rejected.',
    ...rejecting(text => long(text, 255)),
  ),
  row(
    'rejects-very-long-strings',
    'Strings of more than 4,096 characters are rejected.',
    ...rejecting(text => long(text, 4096)),
  ),
  row(
    'rejects-astral-characters',
    'Characters beyond the first plane are rejected.',
    ...rejecting(text => /[\u{10000}-\u{10ffff}]/u.test(text)),
  ),
  row(
    'rejects-combining-characters',
    'Combining characters are rejected.',
    ...rejecting(text => /\p{M}/u.test(text)),
  ),
  row(
    'returns-the-same-plant',
    'The response is always the same Plant.',
    ...notStrict({ plant: () => ({ name: 'string', tag: 'string' }) }),
  ),
  row(
    'trims-strings',
    'White space around names and tags is dropped.',
    ...notStrict({ plant: ({ name, tag }) => ({ name: name.trim(), tag: tag?.trim() }) }),
  ),
  row(
    'rejects-undeclared-properties',
    'Undeclared properties are rejected.',
    ...notStrict({
      body: value =>
        lawfulParts.body(value) &&
        Object.keys(value as object).every(key => ['id', 'name', 'tag'].includes(key)),
    }),
  ),
]

/** Every store here conforms to the contract, in a way that a careless suite may report as a fault. */
export const lawfulServers: readonly LawfulServer[] = [
  ...uncommonResponses,
  ...uncommonHttp,
  ...timing,
  ...remembering,
  ...particular,
  ...frameworks,
  ...oddities,
]
