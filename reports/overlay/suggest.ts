import { type Contract, credentialForm, type Ledger, plural } from '../../spec/index.ts'
import { limitSuggestions } from './limits.ts'
import { requestSuggestions } from './requests.ts'
import { responseSuggestions, statusSuggestions } from './responses.ts'
import {
  type Action,
  actionsOf,
  type Found,
  findingsBySubject,
  type Suggestion,
  sentIn,
} from './suggestion.ts'

/** An OpenAPI overlay (1.0.0). */
export type SuggestedOverlay = {
  readonly overlay: '1.0.0'
  readonly info: { readonly title: string; readonly version: string }
  readonly actions: readonly Action[]
  /** How many suggestions it lacks, as they would change other files than the document. */
  readonly elsewhere: number
}

/**
 * What would make a document say what the server does: statuses, media types, null, limits, credentials and the base path that it does not declare. Server
 * errors, credentials that are not checked, and invalid values that are accepted are the server's. `auth`: how a token was sent that the document
 * does not ask for; null if none was.
 */
export const suggestedOverlay = (
  contract: Contract,
  ledger: Ledger,
  auth: string | null,
): SuggestedOverlay => {
  const found = findingsBySubject(contract, ledger)
  const suggestions = [
    ...setUpSuggestions(contract, ledger, auth),
    ...statusSuggestions(contract, ledger, found),
    ...responseSuggestions(contract, found),
    ...requestSuggestions(contract, found),
    ...limitSuggestions(contract, ledger, found),
    ...publicSuggestions(contract, found),
  ]
  const { actions, elsewhere } = actionsOf(contract, suggestions)
  const title = `${plural(actions.length, 'suggested change')} to ${contract.title}`
  return { overlay: '1.0.0', info: { title, version: contract.version }, actions, elsewhere }
}

const setUpSuggestions = (
  contract: Contract,
  { start }: Ledger,
  auth: string | null,
): readonly Suggestion[] => [
  ...basePathSuggestions(contract, start.target),
  ...(auth === null ? [] : securitySuggestions(contract, auth)),
]

const basePathSuggestions = (contract: Contract, target: string): readonly Suggestion[] => {
  const base = pathOfUrl(target)
  const servers = contract.document.servers
  const declared = Array.isArray(servers)
    ? servers.map(each => pathOfUrl((each as { url?: unknown }).url))
    : []
  if (base === null || declared.includes(base) || (declared.length === 0 && base === '')) return []
  return [
    {
      pointer: '',
      update:
        contract.convertedFrom === null
          ? { servers: [{ url: base === '' ? '/' : base }] }
          : { basePath: base === '' ? '/' : base },
      evidence: `The server was tested below ${base === '' ? '/' : base}, which the document does not name.`,
      findings: [],
    },
  ]
}

/** The path of a URL without its last slash; null if there is no such URL. */
const pathOfUrl = (url: unknown): string | null =>
  typeof url === 'string' && URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
    : null

const securitySuggestions = (contract: Contract, auth: string): readonly Suggestion[] => {
  const form = credentialForm(auth)
  if (form === null || contract.operations.some(({ security }) => security.length > 0)) return []
  const isSwagger = contract.convertedFrom !== null
  const scheme = schemeOf(form, isSwagger)
  return [
    {
      pointer: '',
      update: {
        ...(isSwagger
          ? { securityDefinitions: { token: scheme } }
          : { components: { securitySchemes: { token: scheme } } }),
        security: [{ token: [] }],
      },
      evidence: `The token was sent with every request (${auth}), and the document asks for none. Leave this out for operations that are public.`,
      findings: [],
    },
  ]
}

/** Operations that need no credentials, if it was an overlay that asked for them everywhere: the document itself says nothing of it. */
const publicSuggestions = (contract: Contract, found: readonly Found[]): readonly Suggestion[] => {
  if (contract.place('/security').file === contract.place('').file) return []
  return found.flatMap(({ finding, obligation: { subject, operation: of } }): readonly Suggestion[] => {
    const operation = contract.operations.find(each => each.id === of)
    const { outcome } = finding
    const isAbsent = subject.kind === 'credentials' && subject.name === 'absent'
    if (operation === undefined || !isAbsent || outcome.kind !== 'response' || outcome.status >= 300)
      return []
    const evidence = `${sentIn(finding)} was answered ${outcome.status} without credentials. Leave this out if it has to need them.`
    return [{ pointer: operation.pointer, update: { security: [] }, evidence, findings: [finding.id] }]
  })
}

const schemeOf = (form: NonNullable<ReturnType<typeof credentialForm>>, isSwagger: boolean): object => {
  if (form.kind !== 'apiKey')
    return isSwagger && form.kind === 'basic'
      ? { type: 'basic' }
      : isSwagger
        ? { type: 'apiKey', in: 'header', name: 'Authorization' }
        : { type: 'http', scheme: form.kind }
  return { type: 'apiKey', in: form.in, name: form.key }
}
