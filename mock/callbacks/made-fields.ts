/** What a callback has beside its body: header fields that it has to have, and credentials. */
import { type Headers, type Operation, placesOf, plainValue, type Scheme } from '../../spec/index.ts'
import type { Engine } from '../engine/engine.ts'

/** The required fields, with the simplest values. */
export const madeFields = ({ contract: { requests } }: Engine, { parameters }: Operation): Headers =>
  parameters
    .filter(({ in: place, required }) => place === 'header' && required)
    .map(({ name, schema }) => {
      const value = schema === null ? 'plantstore' : plainValue(placesOf(requests.document, schema))
      return [name, typeof value === 'string' ? value : JSON.stringify(value)] as const
    })

/** Those of the first alternative that the document declares: a value that a client cannot check, as nobody has agreed on a secret. */
export const madeCredentials = ({ security: [schemes = []] }: Operation): Headers =>
  schemes.flatMap(scheme => {
    const field = fieldOf(scheme)
    return field === null ? [] : [field]
  })

const fieldOf = (scheme: Scheme): readonly [string, string] | null => {
  if (scheme.kind === 'bearer') return ['Authorization', `Bearer ${made}`]
  if (scheme.kind === 'basic') return ['Authorization', `Basic ${btoa(`${made}:${made}`)}`]
  return scheme.kind === 'apiKey' && scheme.in === 'header' ? [scheme.key, made] : null
}

const made = 'plantstore'
