/** What a server sends to URLs of its clients, and whether that is as declared. */
export { type Callback, callbacksOf, webhooksOf } from '../contract/callbacks.ts'
export { webhooksTo } from '../contract/subscriptions.ts'
export { type Arrival, arrivalText, namedScalars } from './arrival.ts'
export {
  callbackProblem,
  callbackSuccess,
  callbackTarget,
  callbackWeight,
  createCallbackJudge,
  meantWebhook,
  type ReceivedCallback,
} from './judge-callback.ts'
export { type SecretOfScheme, wrongSecrets } from './signature.ts'
