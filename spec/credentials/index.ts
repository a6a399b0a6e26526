export {
  headersByHook,
  type OutgoingRequest,
  type RequestHook,
  RequestHookError,
} from './request-hook.ts'
export {
  credentialForm,
  credentialFormText,
  undeclaredForm,
  withCredentialForm,
} from './with-credential-form.ts'
export { secretName, withSecrets } from './with-secrets.ts'
