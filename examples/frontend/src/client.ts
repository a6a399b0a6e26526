/** The plant store's client: paths, bodies and responses have the types of its document. */
import createClient from 'openapi-fetch'
import type { components, paths } from './contract.d.ts'
import { readJson, writeJson } from './json.ts'

export type NewPlant = components['schemas']['NewPlant']
export type Plant = components['schemas']['Plant']
export type Rejection = components['schemas']['Error']

export type Outcome =
  | { readonly kind: 'created'; readonly plant: Plant }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'unreachable'; readonly url: string }

const url: string = import.meta.env.VITE_STORE ?? 'http://127.0.0.1:4010'

const store = createClient<paths>({ baseUrl: url, bodySerializer: writeJson })

/** Adds a plant. Every outcome is data: it never throws. */
export const createPlant = async (plant: NewPlant, token: string): Promise<Outcome> => {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` }
  try {
    // As text, because openapi-fetch reads JSON with JSON.parse.
    const { data, error } = await store.POST('/plants', { body: plant, headers, parseAs: 'text' })
    return error === undefined
      ? { kind: 'created', plant: readJson<Plant>(data) }
      : { kind: 'rejected', rejection: error }
  } catch {
    return { kind: 'unreachable', url }
  }
}
