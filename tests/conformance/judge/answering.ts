import { createServer, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { bodyOf, documentWith, writeDocument } from '../../spec/contracts.ts'

export type Asked = Pick<IncomingMessage, 'method' | 'headers'> & { readonly url: URL; readonly body: string }
export type Answer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The object in a body; null if it has none. */
export const objectIn = (body: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** The URL of a server that answers so, in JSON, until the test is over. */
export const answering = async (answer: (asked: Asked) => Answer): Promise<string> => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method, headers } = request
    const {
      status,
      headers: more,
      body: sent,
    } = answer({
      method,
      headers,
      url: new URL(request.url ?? '/', 'http://localhost'),
      body,
    })
    response.writeHead(status, sent === undefined ? more : { 'Content-Type': 'application/json', ...more })
    const isPage = more?.['Content-Type'] === 'text/html'
    response.end(sent === undefined ? undefined : isPage ? String(sent) : JSON.stringify(sent))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

/** What a run says of such a server. */
export const verifyAnswering = async (
  document: { readonly paths: object; readonly rest?: object },
  answer: (asked: Asked) => Answer,
  options: Partial<Parameters<typeof verify>[0]> = {},
): Promise<Ledger> =>
  verify({
    contract: await loadContract({
      from: writeDocument('level.json', documentWith(document.paths, document.rest)),
    }),
    target: await answering(answer),
    seed: 1,
    sustained: 0,
    ...options,
  })

export const shown = (schema: object, description = 'ok') => ({
  description,
  content: { 'application/json': { schema } },
})

/** What an operation on a thing may answer. */
export const usualAnswers = {
  200: shown({}),
  201: shown({}),
  204: { description: 'removed' },
  400: shown({}),
  404: shown({}),
}

/** The document of one operation that takes this body. */
export const createInstance = (schema: object, responses: Readonly<Record<string, object>>) => ({
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        requestBody: bodyOf(schema),
        responses,
      },
    },
  },
})

/** The obligations that failed, by level. */
export const failedOf = ({ entries }: Ledger, level: 'MUST' | 'SHOULD'): readonly string[] =>
  entries
    .filter(({ obligation, verdict }) => verdict.kind === 'failed' && obligation.level === level)
    .map(({ obligation }) => obligation.id)
