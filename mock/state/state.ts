import { header, type Json, readJson } from '../../spec/index.ts'
import { type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import { locator } from '../documents/documents.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { ServedDocument } from '../engine/context.ts'
import { clientHeader, type MockRequest, maxClientLength } from '../engine/request.ts'
import { SeedDataError } from '../errors.ts'
import { memoize } from '../memo.ts'
import type { RuleSettings } from '../rules/list-rule.ts'
import { collectionPathsOf, readSeedData, type SeedData, snapshotOf } from './snapshot.ts'
import { createStateContext } from './stateful-responder.ts'
import type { Store } from './store.ts'
import type { InitialInstances, StateContext } from './stored-collections.ts'

/** The resources that a mock keeps. The name of a client is that of its header `Plantstore-Client`; without one, those of all others. */
export type State = {
  /** The paths of the collections that are kept; empty if the operations of the documents form no resources. */
  readonly collections: readonly string[]
  /** The collections that were asked for, with their resources, as seed data. */
  readonly snapshot: (client?: string) => Readonly<Record<string, Json>>
  /** Puts these resources in the place of all. Throws SeedDataError, and changes nothing then, if the contract does not allow them. */
  readonly load: (data: SeedData, client?: string) => void
  /** As at the start, for one client or for all. */
  readonly reset: (client?: string) => void
}

export const createState = (
  store: Store,
  documents: () => readonly ServedDocument[],
  rules: RuleSettings,
): State & { readonly read: (data: SeedData) => InitialInstances } => {
  const stateContexts = memoize(documents, (all): readonly StateContext[] =>
    all.map(({ engine, prefix }) =>
      createStateContext(engine, { store, settings: rules, prefix, initial: { instances: new Map() } }),
    ),
  )
  const nameOf = (client: string | undefined): string => client?.slice(0, maxClientLength) ?? ''
  const locate = locator(documents)
  const declared = (path: string): string => {
    const found = locate(path)
    return found === null ? path : found.document.prefix + found.target
  }
  const read = (data: SeedData): InitialInstances => readSeedData(stateContexts(), declared, data)
  return {
    get collections() {
      return stateContexts().flatMap(collectionPathsOf)
    },
    snapshot: client => snapshotOf(stateContexts(), store.collections(nameOf(client))),
    load: (data, client) => store.replace(nameOf(client), read(data)),
    reset: client => store.reset(client === undefined ? null : nameOf(client)),
    read,
  }
}

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
