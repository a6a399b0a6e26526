import { header } from '../../spec/index.ts'
import { digest } from '../chance/digest.ts'
import type { Middleware } from '../engine/context.ts'
import { judge } from '../engine/judge.ts'
import { clientHeader } from '../engine/request.ts'
import { presentedTokens } from './presented.ts'

/** Gives each token data of its own, as if it were a client that names itself; one that does name itself keeps its name. */
export const dataOfToken: Middleware = (context, next) => {
  const { document, received, request } = context
  if (
    document === null ||
    request.unreadable !== undefined ||
    header(received.headers, clientHeader) !== null
  )
    return next(context)
  const judged = judge(document.engine, context)
  const [token] = judged === null ? [] : presentedTokens(judged.operation, judged.request)
  const given = token ?? header(received.headers, 'authorization')
  if (given !== null) context.client = `token ${digest(given)}`
  return next(context)
}
