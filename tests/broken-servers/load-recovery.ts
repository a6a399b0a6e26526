import {
  bodyText,
  crash,
  type Failing,
  hang,
  hangUp,
  refuse,
  reset,
  unprocessable,
  withJson,
} from './faults.ts'
import { crowd, steady } from './load-requests.ts'
import type { Answer, Asked, Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, jsonHeaders, plant, raw } from './sent.ts'

const row = rowsOf('load')

const load = /^createPlant\/(load\/|response\/declared)/
const pairing = /^createPlant\/(load\/|response\/200\/echo)/

/** Numbers between 0 and 1, the same in each run. */
const seeded = () => {
  let state = 20_261_121
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const atRandom = (share: number, failing: Failing) => (): Partial<Parts> => {
  const next = seeded()
  return { respond: (answer, asked) => (next() < share ? failing(answer, asked) : answer) }
}

const crowded = (most: number, failing: Failing): Partial<Parts> => ({
  respond: async (answer, asked) => {
    await asked.wait(4)
    return asked.running() > most ? failing(answer, asked) : answer
  },
})

/** One request of a certain sort spoils the next one. */
const afterwards =
  (spoils: (answer: Answer, asked: Asked) => boolean, failing: Failing, often = 1) =>
  (): Partial<Parts> => {
    let due = 0
    return {
      respond: (answer, asked) => {
        const fails = due > 0 && answer.cause === 'none'
        if (spoils(answer, asked)) due = often
        else if (fails) due -= 1
        return fails ? failing(answer, asked) : answer
      },
    }
  }

const unlike = (answer: Answer) => withJson(answer, 200, { name: 'another plant' })

const malformed = raw('{"id":')
const unknown = plant({}, { ...jsonHeaders, authorization: 'Bearer wrong' })
const isJson = (answer: Answer) => answer.cause === 'json'

/** Stores that fail by chance. */
export const chanceServers: readonly Broken[] = [
  row(
    'crashes-now-and-then',
    'One request in a hundred gets a 500.',
    load,
    atRandom(0.01, crash),
    steady(400),
  ),
  row(
    'refuses-now-and-then',
    'One plant in fifty is refused.',
    load,
    atRandom(0.02, (answer, asked) => (answer.cause === 'none' ? refuse(answer, asked) : answer)),
    steady(200),
  ),
  row(
    'resets-now-and-then',
    'One request in fifty resets the connection.',
    load,
    atRandom(0.02, reset),
    steady(200),
  ),
  row(
    'confuses-now-and-then',
    'One Plant in a hundred is another one.',
    pairing,
    atRandom(0.01, answer => (answer.cause === 'none' ? unlike(answer) : answer)),
    steady(400),
  ),
]

/** Stores that fail when many ask at once. */
export const crowdServers: readonly Broken[] = [
  row(
    'crashes-in-a-crowd',
    'More than four requests at a time get a 500.',
    load,
    crowded(4, crash),
    crowd(12),
  ),
  row(
    'refuses-in-a-crowd',
    'More than four requests at a time are refused.',
    load,
    crowded(4, refuse),
    crowd(12),
  ),
  row(
    'answers-503-in-a-crowd',
    'More than four requests at a time get a 503, without a word on when to come again.',
    load,
    crowded(4, answer => withJson(answer, 503, { error: 503, message: 'busy' })),
    crowd(12),
  ),
  row(
    'hangs-in-a-crowd',
    'More than six requests at a time get no answer.',
    load,
    crowded(6, hang),
    crowd(12),
  ),
  row(
    'hangs-up-in-a-crowd',
    'More than six requests at a time end their connections.',
    load,
    crowded(6, hangUp),
    crowd(12),
  ),
]

/** Stores that do not get over a request. */
export const recoveryServers: readonly Broken[] = [
  row(
    'crashes-after-malformed-json',
    'The plant after a body that is not JSON gets a 500.',
    load,
    afterwards(isJson, crash),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'refuses-after-malformed-json',
    'The plant after a body that is not JSON is refused.',
    load,
    afterwards(isJson, refuse),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'hangs-after-malformed-json',
    'The plant after a body that is not JSON gets no answer.',
    load,
    afterwards(isJson, hang),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'limps-after-malformed-json',
    'The five plants after a body that is not JSON get an undeclared 422.',
    load,
    afterwards(isJson, unprocessable, 5),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'refuses-after-wrong-token',
    'The plant after a wrong token is refused.',
    /^createPlant\/(load|auth)\//,
    afterwards(answer => answer.cause === 'credentials', refuse),
    { witness: inTurn(unknown, plant()) },
  ),
  row(
    'crashes-after-invalid-plant',
    'The plant after an invalid one gets a 500.',
    load,
    afterwards(answer => answer.cause === 'id', crash),
    { witness: inTurn(plant({ id: null }), plant()) },
  ),
  row(
    'crashes-after-long-text',
    'The plant after a very long one gets a 500.',
    load,
    afterwards((_, asked) => bodyText(asked).length > 60_000, crash),
    { witness: inTurn(plant({ name: 'l'.repeat(65_536) }), plant()) },
  ),
]
