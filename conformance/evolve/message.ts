import type { Counterexample } from './counterexample.ts'
import type { Difference } from './difference.ts'

/** Longer examples are not part of a sentence. */
const longest = 120

/** What has changed, as one sentence. */
export const messageOf = (counterexample: Counterexample, concerns: Difference['concerns']): string => {
  const { part, status, subject, reason } = counterexample
  const isOld = concerns === 'old-clients'
  const shown = counterexample.witness.length <= longest ? `\`${counterexample.witness}\`` : 'a body'
  if (part === 'request')
    return isOld
      ? `${shown} was valid and is rejected: ${reason}`
      : `${shown} is valid, and an old server rejects it: ${reason}`
  const [server, document] = isOld ? ['a server', 'the old document'] : ['an old server', 'the new document']
  const aspect = subject.kind === 'response' ? subject.aspect : null
  if (aspect === 'declared' || aspect === 'content-type')
    return `${server} may answer ${counterexample.witness}, and ${document} declares ${reason.replace(/^a declared status: |^Content-Type /, '')} only`
  if (aspect === 'header' && reason.startsWith('the header ') && !reason.includes(' must '))
    return `${server} may answer ${counterexample.witness} without ${reason}, which ${document} requires`
  const answer = aspect === 'header' ? counterexample.witness : `${status} with ${shown}`
  return `${server} may answer ${answer}, which ${document} rules out: ${reason}`
}
