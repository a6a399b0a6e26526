import type { Route } from 'playwright/test'
import type { Composed } from './compose.ts'
import type { Engine } from './engine.ts'
import { headersOf, isBodiless } from './respond.ts'

/** Answers a request that Playwright holds, by its target below the server of the contract. */
export const answerRoute = async (
  engine: Engine,
  route: Route,
  target: string,
  maxBodyBytes: number,
): Promise<void> => {
  const composed = await ask(engine, route, target, maxBodyBytes)
  // What hangs is never answered, and ends with its page.
  if (composed.fate !== 'hang') await deliver(route, composed)
}

const ask = async (engine: Engine, route: Route, target: string, maxBodyBytes: number): Promise<Composed> => {
  const request = route.request()
  const { host } = new URL(request.url())
  const headers = (await request.headersArray()).map(({ name, value }) => [name, value] as const)
  const body = request.postDataBuffer() ?? (/^(?:POST|PUT)$/.test(request.method()) ? new Uint8Array() : null)
  const tooLarge = body !== null && body.length > maxBodyBytes
  return engine({
    method: request.method(),
    target,
    headers: headers.some(([name]) => name.toLowerCase() === 'host') ? headers : [['host', host], ...headers],
    body: tooLarge ? null : body,
    tooLarge,
    connection: request,
  })
}

const deliver = async (route: Route, answer: Composed): Promise<void> => {
  if (answer.fate === 'reset') return route.abort('connectionreset')
  // A route gives answers whole or not at all.
  if (answer.fate === 'truncate' || answer.stream !== undefined) return route.abort('connectionclosed')
  const isEmpty = isBodiless(answer.status) || route.request().method() === 'HEAD'
  await route.fulfill({
    status: answer.status,
    headers: joined(headersOf(answer)),
    ...(isEmpty ? {} : { body: Buffer.from(answer.body) }),
  })
}

/** One line for each name, as Playwright takes them; cookies do not join, and it knows of them by the line break. */
const joined = (headers: Composed['headers']): Record<string, string> => {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    lines[key] =
      lines[key] === undefined ? value : `${lines[key]}${key === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return lines
}
