import { type Headers, header, type Tokens } from '../../spec/index.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { judge } from '../engine/judge.ts'
import { clientHeader } from '../engine/request.ts'
import { memoize } from '../memo.ts'
import { filledResponse } from './place-traffic.ts'
import { createRecordedAnswers, type Recording } from './recorded-answers.ts'

type ReplayOptions = {
  readonly tokens: Tokens
  /** The server behind a proxy, which the record may be of; null: there is none. */
  readonly forward: { readonly target: URL } | null
  readonly warn: (message: string) => void
}

/** Answers requests as it was recorded, and tells what of the record breaks the contract; everything else goes on to the mock. */
export const replay = (
  recording: Recording,
  documents: () => readonly ServedDocument[],
  { tokens, forward, warn }: ReplayOptions,
): Middleware => {
  const server = forward === null ? null : { url: forward.target, isOnly: false }
  const recorded = memoize(documents, all => {
    const answers = createRecordedAnswers(all, recording, server)
    for (const note of answers.notes) warn(note)
    return answers
  })
  recorded()
  // A client sends back what it gets for one, so it has to be right.
  const secret = tokens?.[0] ?? 'token'
  return (context, next) => {
    const { document, request, prefer } = context
    if (document === null || request.unreadable !== undefined) return next(context)
    // Who asks for a certain response does not ask for the record.
    if ((prefer?.preferences ?? null) !== null || judge(document.engine, context) === null)
      return next(context)
    const answer = recorded().next(context, header(request.headers, clientHeader) ?? '')
    if (answer === null) return next(context)
    context.scenario = `replayed ${answer.place}`
    const { status, headers, body } = filledResponse(answer.response, secret)
    return { status, headers: sendable(headers), body }
  }
}

/** Fields of the connection of that time, and of what its server let pages of other origins do. */
const notReplayed =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|alt-svc|access-control-.*)$/i

const sendable = (headers: Headers): Headers =>
  headers.filter(
    ([name, value]) =>
      !notReplayed.test(name) &&
      /^[!#$%&'*+\-.^_`|~\w]+$/.test(name) &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  )
