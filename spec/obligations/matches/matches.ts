import { identityOf } from '../../contract/identity.ts'
import { header } from '../../http/exchange.ts'
import { withoutBoundary } from '../../http/multipart.ts'
import { credentialKinds, testedScheme } from '../inputs/credentials.ts'
import type { OperationContext } from '../operation-context.ts'
import type { Subject } from '../subject.ts'
import { takesBranch } from './branch.ts'
import { isVariant } from './credentials.ts'
import { hasHeaders, queryOf } from './extra-fields.ts'
import { hasLayout } from './layout.ts'
import { combinesExtremes, hasPresent, isReordered, listedValue, type SentRequest } from './values.ts'

/**
 * Whether a valid request is of the kind that an obligation to accept is about. `tokens`: what may stand in its
 * credentials where their kinds have placeholders; a request may also have kept the placeholders.
 */
export const matches = (
  context: OperationContext,
  subject: Subject,
  sent: SentRequest,
  tokens: readonly string[],
): boolean => {
  const { request } = sent
  switch (subject.kind) {
    case 'presence':
      return context.body !== null && hasPresent(context.body.root, subject.present, sent.body)
    case 'combined':
      return combinesExtremes(sent)
    case 'value':
      return listedValue(subject, sent) !== undefined
    case 'branch':
      return takesBranch(context.contract, subject, sent)
    case 'layout':
      return subject.layout === 'key-order'
        ? hasOtherOrder(context, sent)
        : hasLayout(subject.layout, Buffer.from(request.body ?? []).toString())
    case 'framing':
      return request.chunked === true || header(request.headers, 'transfer-encoding') !== null
    case 'query-escapes':
      return queryOf(request.target).some(([, value]) => /%(?:3\d|[46][1-9a-f]|[57][0-9a])/i.test(value))
    case 'size': {
      const size = request.body?.length ?? 0
      return size >= subject.bytes && size < 2 * subject.bytes
    }
    case 'extra':
      return subject.variants.some(fields => hasHeaders(sent, fields))
    case 'media':
      return (
        subject.isAccepted &&
        subject.contentTypes.includes(withoutBoundary(header(request.headers, 'content-type')))
      )
    case 'credentials':
      return subject.isAccepted && hasCredentials(context, subject.name, sent, tokens)
    default:
      return false
  }
}

const hasOtherOrder = ({ operation, body }: OperationContext, sent: SentRequest): boolean =>
  body !== null && isReordered(body.root, sent.body, identityOf(operation, body.root)?.name ?? null)

const hasCredentials = (
  context: OperationContext,
  name: string,
  sent: SentRequest,
  tokens: readonly string[],
): boolean => {
  const scheme = testedScheme(context)
  const kind = credentialKinds(context.operation).find(known => known.name === name)
  return (
    scheme !== null &&
    kind !== undefined &&
    [null, ...tokens].some(token => isVariant(kind, scheme, token, sent))
  )
}
