import { withJson } from './faults.ts'
import { uncommonAnswers } from './lawful-answers.ts'
import { uncommonHttp } from './lawful-http.ts'
import { lawful as row } from './lawful-row.ts'
import type { Answer, Lawful, Parts } from './model.ts'
import { lawfulParts } from './store.ts'

const refusing = (what: Partial<Parts>): readonly [Partial<Parts>, { readonly strict: false }] => [
  what,
  { strict: false },
]

const long = (text: unknown, most: number) => typeof text === 'string' && text.length > most

/** Refuses plants whose texts look a certain way, at the price of a warning. */
const particular = (looks: (text: string) => boolean) =>
  refusing({
    respond: answer =>
      answer.cause === 'none' &&
      [answer.plant?.name, answer.plant?.tag].some(text => text !== undefined && looks(text))
        ? withJson(answer, 400, { error: 9, message: 'not taken here' })
        : answer,
  })

const ofTime: readonly Lawful[] = [
  row('slow', 'Every answer takes 30 ms.', {
    respond: async (answer, { wait }) => {
      await wait(30)
      return answer
    },
  }),
  row('jittery', 'Answers take up to 40 ms, each another time.', {
    respond: async (answer, { nth, wait }) => {
      await wait((nth * 7919) % 41)
      return answer
    },
  }),
  row('slow-to-start', 'The first answers take 300 ms.', {
    respond: async (answer, { nth, wait }) => {
      if (nth <= 3) await wait(300)
      return answer
    },
  }),
  row('drips', 'The head of an answer comes first, the body a little later.', {
    send: async ({ status, headers, body }, response, { wait }) => {
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
      response.flushHeaders()
      await wait(10)
      response.end(body)
    },
  }),
  row('one-at-a-time', 'One request is served at a time; the others wait.', () => {
    let last: Promise<void> = Promise.resolve()
    return {
      respond: (answer, { wait }) => {
        const mine = last.then(() => wait(2))
        last = mine.catch(() => undefined)
        return mine.then(() => answer)
      },
    }
  }),
]

const busy = (answer: Answer, status: number): Answer => ({
  ...withJson(answer, status, { error: status, message: 'busy' }),
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
})

const ofMemory: readonly Lawful[] = [
  row('refuses-duplicates', 'An id is taken once.', () => {
    const taken = new Set<bigint>()
    return {
      respond: answer => {
        if (answer.cause !== 'none' || !answer.plant) return answer
        if (taken.has(answer.plant.id)) return withJson(answer, 400, { error: 5, message: 'the id is taken' })
        taken.add(answer.plant.id)
        return answer
      },
    }
  }),
  row(
    'busy-now-and-then',
    'Three requests early on, and one in five thousand, are put off for a second with a 503.',
    {
      respond: (answer, { nth }) =>
        (nth >= 50 && nth < 53) || nth % 5000 === 0 ? busy(answer, 503) : answer,
    },
    { kind: 'busy' },
  ),
  row(
    'limits-its-rate',
    'Three requests early on are put off for a second with a 429.',
    { respond: (answer, { nth }) => (nth >= 80 && nth < 83 ? busy(answer, 429) : answer) },
    { kind: 'busy' },
  ),
]

const ofTaste: readonly Lawful[] = [
  row('refuses-empty-texts', 'Empty names and tags are refused.', ...particular(text => text === '')),
  row(
    'refuses-blank-texts',
    'Names and tags of nothing but blanks are refused.',
    ...particular(text => text.trim() === ''),
  ),
  row(
    'refuses-control-characters',
    'Control characters are refused.',
    ...particular(text => /\p{Cc}/u.test(text)),
  ),
  row('refuses-nul', 'The character NUL is refused.', ...particular(text => text.includes('\0'))),
  row(
    'refuses-long-texts',
    'Texts of more than 255 characters are refused.',
    ...particular(text => long(text, 255)),
  ),
  row(
    'refuses-very-long-texts',
    'Texts of more than 4,096 characters are refused.',
    ...particular(text => long(text, 4096)),
  ),
  row(
    'refuses-astral-characters',
    'Characters beyond the first plane are refused.',
    ...particular(text => /[\u{10000}-\u{10ffff}]/u.test(text)),
  ),
  row(
    'refuses-combining-characters',
    'Combining characters are refused.',
    ...particular(text => /\p{M}/u.test(text)),
  ),
  row(
    'keeps-plants-to-itself',
    'The Plant that is answered is always the same.',
    ...refusing({ plant: () => ({ name: 'string', tag: 'string' }) }),
  ),
  row(
    'trims-texts',
    'Blanks around names and tags are dropped.',
    ...refusing({ plant: ({ name, tag }) => ({ name: name.trim(), tag: tag?.trim() }) }),
  ),
  row(
    'refuses-undeclared-properties',
    'Properties that are not declared are refused.',
    ...refusing({
      body: value =>
        lawfulParts.body(value) &&
        Object.keys(value as object).every(key => ['id', 'name', 'tag'].includes(key)),
    }),
  ),
]

/** Every store here keeps the contract, in a way that a hasty suite may take for a fault. */
export const lawfulServers: readonly Lawful[] = [
  ...uncommonAnswers,
  ...uncommonHttp,
  ...ofTime,
  ...ofMemory,
  ...ofTaste,
]
