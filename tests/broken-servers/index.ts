import { clientServers } from './accept/clients.ts'
import { layoutServers } from './accept/layout.ts'
import { numberServers } from './accept/numbers.ts'
import { rejectingTextServers } from './accept/ordinary-strings.ts'
import { pairServers } from './accept/pairs.ts'
import { sendingPairServers } from './accept/sending-pairs.ts'
import { singleHeaderServers } from './accept/single-headers.ts'
import { failingTextServers } from './accept/strings.ts'
import { undeclaredServers } from './accept/undeclared.ts'
import { checkServers } from './auth/check.ts'
import { guessServers } from './auth/guesses.ts'
import { credentialRejectionServers } from './auth/rejection.ts'
import { tokenServers } from './auth/token.ts'
import { frameworkServers } from './reject/frameworks.ts'
import { idServers } from './reject/ids.ts'
import { lenientServers } from './reject/json.ts'
import { malformedServers } from './reject/malformed.ts'
import { mediaServers } from './reject/media.ts'
import { otherSyntaxServers } from './reject/other-syntax.ts'
import { rejectionServers } from './reject/plants.ts'
import { severalServers } from './reject/several.ts'
import { topServers } from './reject/top-level.ts'
import { typeServers } from './reject/types.ts'
import { byteServers } from './response/bytes.ts'
import { contentTypeServers } from './response/content-type.ts'
import { delicateTextServers } from './response/delicate-texts.ts'
import { echoServers } from './response/echo.ts'
import { errorServers } from './response/error.ts'
import { pairResponseServers } from './response/pairs.ts'
import { plantServers } from './response/plant.ts'
import { rejectionResponseServers } from './response/rejection.ts'
import { statusServers } from './response/status.ts'
import { countingServers } from './stability/counting.ts'
import { mixingServers } from './stability/mixing.ts'
import { pauseServers } from './stability/pauses.ts'
import { chanceServers, crowdServers, recoveryServers } from './stability/recovery.ts'
import type { BrokenServer, TestServer } from './store/model.ts'
import { storeToken } from './store/sent.ts'
import { type Running, startStore } from './store/store.ts'
import { transportServers } from './transport/transport.ts'

export { challengeServers } from './auth/challenge.ts'
export { lawfulChallengeServers } from './lawful/challenge.ts'
export { lawfulServers } from './lawful/lawful.ts'
export type { BrokenServer, Kind, LawfulServer } from './store/model.ts'
export type { Running } from './store/store.ts'

/** Every store here has one fault: it breaks one requirement of the contract and fulfils all others. */
export const brokenServers: readonly BrokenServer[] = [
  ...tokenServers,
  ...checkServers,
  ...guessServers,
  ...credentialRejectionServers,
  ...idServers,
  ...frameworkServers,
  ...typeServers,
  ...severalServers,
  ...topServers,
  ...rejectionServers,
  ...lenientServers,
  ...malformedServers,
  ...mediaServers,
  ...failingTextServers,
  ...rejectingTextServers,
  ...numberServers,
  ...layoutServers,
  ...clientServers,
  ...pairServers,
  ...sendingPairServers,
  ...plantServers,
  ...statusServers,
  ...echoServers,
  ...pairResponseServers,
  ...errorServers,
  ...rejectionResponseServers,
  ...contentTypeServers,
  ...byteServers,
  ...mixingServers,
  ...countingServers,
  ...chanceServers,
  ...crowdServers,
  ...recoveryServers,
  ...undeclaredServers,
  ...otherSyntaxServers,
  ...delicateTextServers,
  ...singleHeaderServers,
  ...pauseServers,
  ...transportServers,
]

/** Starts a new store on a free port of 127.0.0.1. Closing it also ends its connections and timers. */
export const startServer = (server: TestServer): Promise<Running> => startStore(server.parts(), storeToken)
