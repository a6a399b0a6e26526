import {
  credentialFormText,
  type HttpResponse,
  header,
  leadsToLogIn,
  type Operation,
  type Outcome,
  redirectPath,
} from '../../spec/index.ts'
import { summary } from '../judge/observation-text.ts'
import { withWords } from '../judge/server-words.ts'
import type { RunOptions } from '../options/run-options.ts'

/** Whether a response may reject credentials, or say that there are none: by a status, or by a redirect to a login. */
export const keepsOut = (outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  (outcome.response.status === 401 || outcome.response.status === 403 || leadsToLogIn(outcome.response))

/** Whether a redirect to a login stands in the way of an operation for which the document asks for no credentials, and declares no redirect. */
export const isSentToLogIn = (options: Policy, { responses }: Operation, outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  leadsToLogIn(outcome.response) &&
  !responses.some(({ status }) => status === String(outcome.response.status)) &&
  undeclaredProblem(options, outcome) !== null

type Policy = Pick<RunOptions, 'contract' | 'auth' | 'isTokenKnown' | 'secrets'>

/**
 * Why a server that keeps requests out may be right although no operation of the document asks for credentials, and what to change. Null: it
 * does not, or the document asks for some, so that what it says of this operation counts.
 */
export const undeclaredProblem = (
  { contract, auth, isTokenKnown, secrets }: Policy,
  outcome: Outcome,
): string | null => {
  if (outcome.kind === 'failure' || !keepsOut(outcome)) return null
  if (contract.operations.some(({ security }) => security.length > 0)) return null
  const path = redirectPath(outcome.response)
  const answer = path === null ? summary(outcome) : `${outcome.response.status} to ${path}`
  const asked = formAskedFor(outcome.response)
  const flag = asked === null ? null : `--auth ${asked.includes(' ') ? `'${asked}'` : asked}`
  if (auth === null || !isTokenKnown)
    return `the server keeps out requests without credentials (${answer}), and the document asks for none: give the right token with --token or PLANTSTORE_TOKEN${flag === null ? '' : `, and ${flag}`}`
  const sent = `the token as ${credentialFormText(auth)}`
  const another = `in another form, with ${asked === auth || flag === null ? "--auth, such as 'Authorization: Token {}'" : flag}`
  return outcome.response.status === 403
    ? `${withWords(`the server refuses this to ${sent} (${answer})`, outcome, secrets)}: check its permissions, or send it ${another}`
    : `the server keeps out requests with ${sent} (${answer}): is it right, or does it have to be sent ${another}?`
}

/** The form that a challenge asks for, for `--auth`; null: bearer, which is sent anyway, or one that a token alone does not meet. */
const formAskedFor = ({ headers }: HttpResponse): string | null => {
  const [, scheme = ''] = /^([\w-]+)/.exec(header(headers, 'www-authenticate') ?? '') ?? []
  if (/^(?:|bearer|digest|negotiate|ntlm)$/i.test(scheme)) return null
  return /^basic$/i.test(scheme) ? 'basic' : `Authorization: ${scheme} {}`
}
