import { header, type Json, readJson, writeJson } from '../../spec/index.ts'
import { type AdminRoute, type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import { clientHeader } from '../engine/request.ts'
import { SeedDataError } from '../errors.ts'
import type { SeedData } from './snapshot.ts'
import type { State } from './state.ts'

/** Reads, puts and resets what is kept over HTTP, for all clients or for one; docs/mock-state.md has the calls. */
export const stateRoutes = (state: State | null): AdminRoutes => {
  if (state === null) return {}
  const answer = (value: Json) => ({
    ...jsonResponse(null),
    body: new TextEncoder().encode(`${writeJson(value)}\n`),
  })
  const snapshot: AdminRoute = ({ headers }) =>
    answer(state.snapshot(header(headers, clientHeader) ?? undefined))
  return {
    'GET /state': snapshot,
    'PUT /state': (request, rest) => {
      const reading = readJson(request.body ?? new Uint8Array())
      if (!reading.ok) return jsonResponse({ message: reading.problem }, 400)
      try {
        state.load(reading.value as SeedData, header(request.headers, clientHeader) ?? undefined)
      } catch (error) {
        if (!(error instanceof SeedDataError)) throw error
        return jsonResponse({ message: error.message }, 400)
      }
      return snapshot(request, rest)
    },
    'DELETE /state': request => {
      state.reset(header(request.headers, clientHeader) ?? undefined)
      return { status: 204, headers: [], body: new Uint8Array() }
    },
  }
}
