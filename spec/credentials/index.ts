export { credentialForm, credentialFormText } from './credential-form.ts'
export {
  headersByHook,
  type OutgoingRequest,
  type RequestHook,
  RequestHookError,
} from './request-hook.ts'
export { undeclaredForm, withCredentialForm } from './with-credential-form.ts'
export { secretName, withSecrets } from './with-secrets.ts'
