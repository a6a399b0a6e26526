/** What a server sends to URLs of its clients, and whether that is as declared. */
export { type Callback, callbacksOf, webhooksOf, webhooksTo } from '../contract/callbacks.ts'
export {
  callbackProblem,
  callbackSuccess,
  callbackTarget,
  callbackWeight,
  createCallbackJudge,
  meantWebhook,
  type ReceivedCallback,
} from './judge-callback.ts'
export { type Arrival, arrivalText, namedScalars, type SecretOfScheme, wrongSecrets } from './signature.ts'
