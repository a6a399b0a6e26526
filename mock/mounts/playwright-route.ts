import type { Route } from 'playwright/test'
import type { Headers } from '../../spec/index.ts'
import { type Context, createContext, type Handler } from '../engine/context.ts'
import { type Fault, isBodiless, type MockResponse } from '../engine/mock-response.ts'
import { headersWithLength } from './fetch-response.ts'

/** The target of a request below the server of the contract, and what stands before it. */
type Place = { readonly target: string; readonly base: string }

/** Responds to a request that Playwright holds. */
export const respondToRoute = async (
  handle: Handler,
  route: Route,
  place: Place,
  maxBodyBytes: number,
): Promise<void> => {
  const context = await contextOf(route, place, maxBodyBytes)
  const response = await handle(context)
  // A request that hangs is never continued, and ends with its page.
  if (context.fault !== 'hang') await deliver(route, response, context.fault)
}

const contextOf = async (route: Route, place: Place, maxBodyBytes: number): Promise<Context> => {
  const request = route.request()
  const { host } = new URL(request.url())
  const headers = (await request.headersArray()).map(({ name, value }) => [name, value] as const)
  const body = request.postDataBuffer() ?? (/^(?:POST|PUT)$/.test(request.method()) ? new Uint8Array() : null)
  const tooLarge = body !== null && body.length > maxBodyBytes
  return createContext({
    method: request.method(),
    ...place,
    headers: headers.some(([name]) => name.toLowerCase() === 'host') ? headers : [['host', host], ...headers],
    body: tooLarge ? null : body,
    tooLarge,
    connection: request,
  })
}

const deliver = async (route: Route, response: MockResponse, fault: Fault | null): Promise<void> => {
  if (fault === 'reset') return route.abort('connectionreset')
  // Playwright cannot fulfill a route in parts.
  if (fault === 'truncate' || response.stream !== undefined) return route.abort('connectionclosed')
  const isEmpty = isBodiless(response.status) || route.request().method() === 'HEAD'
  await route.fulfill({
    status: response.status,
    headers: joined(headersWithLength(response, fault)),
    ...(isEmpty ? {} : { body: Buffer.from(response.body) }),
  })
}

/** One line for each name, as Playwright takes them; it splits cookies, which must not be joined, at line breaks. */
const joined = (headers: Headers): Record<string, string> => {
  const lines: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    lines[key] =
      lines[key] === undefined ? value : `${lines[key]}${key === 'set-cookie' ? '\n' : ', '}${value}`
  }
  return lines
}
