import { layoutServers } from './accept-layout.ts'
import { numberServers } from './accept-numbers.ts'
import { refusingTextServers } from './accept-ordinary.ts'
import { failingTextServers } from './accept-strings.ts'
import { byteServers } from './answer-bytes.ts'
import { echoServers } from './answer-echo.ts'
import { errorServers } from './answer-error.ts'
import { plantServers } from './answer-plant.ts'
import { refusalAnswerServers } from './answer-refusal.ts'
import { statusServers } from './answer-status.ts'
import { checkServers } from './bearer-check.ts'
import { credentialRefusalServers } from './bearer-refusal.ts'
import { tokenServers } from './bearer-token.ts'
import { countingServers } from './load-counting.ts'
import { mixingServers } from './load-mixing.ts'
import { chanceServers, crowdServers, recoveryServers } from './load-recovery.ts'
import type { Broken, Served } from './model.ts'
import { lenientServers } from './refuse-json.ts'
import { malformedServers } from './refuse-malformed.ts'
import { mediaServers } from './refuse-media.ts'
import { refusalServers } from './refuse-plants.ts'
import { topServers } from './refuse-top.ts'
import { typeServers } from './refuse-types.ts'
import { storeToken } from './sent.ts'
import { type Running, startStore } from './store.ts'
import { transportServers } from './transport.ts'

export { challengeServers, lawfulChallengeServers } from './challenge.ts'
export { lawfulServers } from './lawful.ts'
export type { Broken, Kind, Lawful } from './model.ts'
export type { Running } from './store.ts'

/** Every store here breaks one promise of the contract, and keeps the others. */
export const brokenServers: readonly Broken[] = [
  ...tokenServers,
  ...checkServers,
  ...credentialRefusalServers,
  ...typeServers,
  ...topServers,
  ...refusalServers,
  ...lenientServers,
  ...malformedServers,
  ...mediaServers,
  ...failingTextServers,
  ...refusingTextServers,
  ...numberServers,
  ...layoutServers,
  ...plantServers,
  ...statusServers,
  ...echoServers,
  ...errorServers,
  ...refusalAnswerServers,
  ...byteServers,
  ...mixingServers,
  ...countingServers,
  ...chanceServers,
  ...crowdServers,
  ...recoveryServers,
  ...transportServers,
]

/** Starts a store afresh on a free port of 127.0.0.1; closing it ends its connections and timers too. */
export const startServer = (server: Served): Promise<Running> => startStore(server.parts(), storeToken)
