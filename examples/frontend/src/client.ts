/** The plant store's client: paths, bodies and answers have the types of its document. */
import createClient from 'openapi-fetch'
import type { components, paths } from './contract.d.ts'
import { readJson, writeJson } from './json.ts'

export type NewPlant = components['schemas']['NewPlant']
export type Plant = components['schemas']['Plant']
export type Refusal = components['schemas']['Error']

export type Outcome =
  | { readonly kind: 'created'; readonly plant: Plant }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unreachable'; readonly url: string }

const url: string = import.meta.env.VITE_STORE ?? 'http://127.0.0.1:4010'

const store = createClient<paths>({ baseUrl: url, bodySerializer: writeJson })

/** Adds a plant; whatever comes of it is data. */
export const createPlant = async (plant: NewPlant, token: string): Promise<Outcome> => {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` }
  try {
    // As text, because openapi-fetch reads JSON by JSON.parse.
    const { data, error } = await store.POST('/plants', { body: plant, headers, parseAs: 'text' })
    return error === undefined
      ? { kind: 'created', plant: readJson<Plant>(data) }
      : { kind: 'refused', refusal: error }
  } catch {
    return { kind: 'unreachable', url }
  }
}
