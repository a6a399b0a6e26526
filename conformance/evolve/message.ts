import type { Apart } from './apart.ts'
import type { Difference } from './difference.ts'

/** Longer examples are not part of a sentence. */
const longest = 120

/** What has changed, as one sentence. */
export const messageOf = (apart: Apart, concerns: Difference['concerns']): string => {
  const { part, status, requirement, reason } = apart
  const isOld = concerns === 'old-clients'
  const shown = apart.witness.length <= longest ? `\`${apart.witness}\`` : 'a body'
  if (part === 'request')
    return isOld
      ? `${shown} was valid and is rejected: ${reason}`
      : `${shown} is valid, and an old server rejects it: ${reason}`
  const [server, document] = isOld ? ['a server', 'the old document'] : ['an old server', 'the new document']
  if (requirement.endsWith('/response/declared') || requirement.endsWith('/content-type'))
    return `${server} may answer ${apart.witness}, and ${document} declares ${reason.replace(/^a declared status: |^Content-Type /, '')} only`
  if (requirement.includes('/headers/') && reason.startsWith('the header ') && !reason.includes(' must '))
    return `${server} may answer ${apart.witness} without ${reason}, which ${document} requires`
  const answer = requirement.includes('/headers/') ? apart.witness : `${status} with ${shown}`
  return `${server} may answer ${answer}, which ${document} rules out: ${reason}`
}
