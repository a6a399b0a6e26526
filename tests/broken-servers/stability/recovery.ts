import {
  bodyText,
  crash,
  type Fault,
  hang,
  hangUp,
  reject,
  reset,
  unprocessable,
  withJson,
} from '../store/faults.ts'
import type { BrokenServer, Exchange, Parts, StoreResponse } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant, raw } from '../store/sent.ts'
import { crowd, steady } from './requests.ts'

const row = rowsOf('stability')

const load = /^createPlant\/(stability\/|response\/declared)/
const pairing = /^createPlant\/(stability\/|response\/200\/echo)/

/** Numbers from 0 to 1, the same in every run. */
const seeded = () => {
  let state = 20_261_121
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const atRandom = (share: number, fault: Fault) => (): Partial<Parts> => {
  const next = seeded()
  return { respond: (response, exchange) => (next() < share ? fault(response, exchange) : response) }
}

/** Waits until no more requests arrive, also on a busy machine. Gives how many there were. */
export const untilAllAreHere = async ({ running, wait }: Exchange): Promise<number> => {
  let most = 0
  for (let quiet = 0; quiet < 3; quiet += 1) {
    if (running() > most) quiet = 0
    most = Math.max(most, running())
    await wait(2)
  }
  return most
}

const crowded = (most: number, fault: Fault): Partial<Parts> => ({
  respond: async (response, exchange) => {
    await untilAllAreHere(exchange)
    return exchange.running() > most ? fault(response, exchange) : response
  },
})

/** A request that matches spoils the next ones. */
const afterwards =
  (spoils: (response: StoreResponse, exchange: Exchange) => boolean, fault: Fault, often = 1) =>
  (): Partial<Parts> => {
    let due = 0
    return {
      respond: (response, exchange) => {
        const fails = due > 0 && response.cause === 'none'
        if (spoils(response, exchange)) due = often
        else if (fails) due -= 1
        return fails ? fault(response, exchange) : response
      },
    }
  }

const unlike = (response: StoreResponse) => withJson(response, 200, { name: 'another plant' })

const malformed = raw('{"id":')
const unknown = plant({}, { ...jsonHeaders, authorization: 'Bearer wrong' })
const isJson = (response: StoreResponse) => response.cause === 'json'

/** Stores that fail by chance. */
export const chanceServers: readonly BrokenServer[] = [
  row(
    'crashes-now-and-then',
    'One request in a hundred gets a 500.',
    load,
    atRandom(0.01, crash),
    steady(400),
  ),
  row(
    'rejects-now-and-then',
    'One plant in fifty is rejected.',
    load,
    atRandom(0.02, (response, exchange) =>
      response.cause === 'none' ? reject(response, exchange) : response,
    ),
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
    atRandom(0.01, response => (response.cause === 'none' ? unlike(response) : response)),
    steady(400),
  ),
]

/** Stores that fail under concurrent requests. */
export const crowdServers: readonly BrokenServer[] = [
  row(
    'crashes-in-a-crowd',
    'More than four requests at a time get a 500.',
    load,
    crowded(4, crash),
    crowd(12),
  ),
  row(
    'rejects-in-a-crowd',
    'More than four requests at a time are rejected.',
    load,
    crowded(4, reject),
    crowd(12),
  ),
  row('hangs-in-a-crowd', 'More than six requests at a time get no response.', load, crowded(6, hang), {
    ...crowd(12),
    ...hangs,
  }),
  row(
    'hangs-up-in-a-crowd',
    'More than six requests at a time end their connections.',
    load,
    crowded(6, hangUp),
    crowd(12),
  ),
]

/** Stores that do not recover from a request. */
export const recoveryServers: readonly BrokenServer[] = [
  row(
    'crashes-after-malformed-json',
    'The plant after malformed JSON gets a 500.',
    load,
    afterwards(isJson, crash),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'rejects-after-malformed-json',
    'The plant after malformed JSON is rejected.',
    load,
    afterwards(isJson, reject),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'hangs-after-malformed-json',
    'The plant after malformed JSON gets no response.',
    load,
    afterwards(isJson, hang),
    { witness: inTurn(malformed, plant()), ...hangs },
  ),
  row(
    'limps-after-malformed-json',
    'The five plants after malformed JSON get an undeclared 422.',
    load,
    afterwards(isJson, unprocessable, 5),
    { witness: inTurn(malformed, plant()) },
  ),
  row(
    'rejects-after-wrong-token',
    'The plant after a wrong token is rejected.',
    /^createPlant\/(stability|auth)\//,
    afterwards(response => response.cause === 'credentials', reject),
    { witness: inTurn(unknown, plant()) },
  ),
  row(
    'crashes-after-invalid-plant',
    'The plant after an invalid one gets a 500.',
    load,
    afterwards(response => response.cause === 'id', crash),
    { witness: inTurn(plant({ id: null }), plant()) },
  ),
  row(
    'crashes-after-long-string',
    'The plant after a very long one gets a 500.',
    load,
    afterwards((_, exchange) => bodyText(exchange).length > 60_000, crash),
    { witness: inTurn(plant({ name: 'l'.repeat(65_536) }), plant()) },
  ),
]
