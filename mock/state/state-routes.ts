import { header, type Json, readJson } from '../../spec/index.ts'
import { type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { clientHeader, type MockRequest } from '../engine/request.ts'
import { SeedDataError } from '../errors.ts'
import type { SeedData } from './snapshot.ts'
import type { State } from './state.ts'

/** Reads, puts and resets what is kept over HTTP, for all clients or for one; docs/mock-state.md has the calls. */
export const stateRoutes = (state: State | null): AdminRoutes => {
  if (state === null) return {}
  const answer = (value: Json, indent?: number) => ({
    ...jsonResponse(null),
    // JSON.stringify keeps the digits of each number.
    body: new TextEncoder().encode(`${JSON.stringify(value, null, indent)}\n`),
  })
  const clientOf = ({ headers }: MockRequest): string | undefined =>
    header(headers, clientHeader) ?? undefined
  const snapshot = (request: MockRequest, path: string | undefined): MockResponse => {
    const all = state.snapshot(clientOf(request))
    return path === undefined ? answer(all) : answer(all[path] ?? [], 2)
  }
  return {
    // All collections, or the one of this path, written for people.
    'GET /state': (request, [path]) => snapshot(request, path),
    'PUT /state': (request, [path]) => {
      const reading = readJson(request.body ?? new Uint8Array())
      if (!reading.ok) return jsonResponse({ message: reading.problem }, 400)
      const client = clientOf(request)
      try {
        const given =
          path === undefined ? reading.value : { ...state.snapshot(client), [path]: reading.value }
        state.load(given as SeedData, client)
      } catch (error) {
        if (!(error instanceof SeedDataError)) throw error
        return jsonResponse({ message: error.message }, 400)
      }
      return snapshot(request, path)
    },
    'GET /collections': request => jsonResponse(collectionsOf(state, clientOf(request))),
    'DELETE /state': request => {
      state.reset(clientOf(request))
      return { status: 204, headers: [], body: new Uint8Array() }
    },
  }
}

/** The collections that are kept, and those that nobody has asked for yet, unless they are below something. */
const collectionsOf = (
  state: State,
  client: string | undefined,
): readonly { readonly path: string; readonly count: number | null }[] => {
  const kept = Object.entries(state.snapshot(client)).map(([path, items]) => ({
    path,
    count: Object.keys(items as object).length,
  }))
  const known = new Set(kept.map(({ path }) => path))
  const fresh = state.collections.filter(path => !known.has(path) && !path.includes('{'))
  return [...kept, ...fresh.map(path => ({ path, count: null }))]
}
