import { withJson } from '../store/faults.ts'
import type { BrokenServer, NewPlant, Parts, StoreResponse } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant, raw, times, together } from '../store/sent.ts'
import { crowd, steady } from './requests.ts'

const row = rowsOf('stability')

const pairing = /^createPlant\/(stability\/|response\/200\/echo)/

const untagged = () => plant({ tag: undefined })
/** Swaps two responses that are due at the same time. */
const swapping = (swapped: (response: StoreResponse) => boolean) => (): Partial<Parts> => {
  let waiting:
    | { readonly response: StoreResponse; readonly give: (response: StoreResponse) => void }
    | undefined
  return {
    respond: async (response, { wait, running }) => {
      await wait(2)
      if (!swapped(response) || (running() < 2 && !waiting)) return response
      if (waiting) {
        const { response: other, give } = waiting
        waiting = undefined
        give(response)
        return other
      }
      return new Promise<StoreResponse>(give => {
        const mine = { response, give }
        waiting = mine
        const alone = () => {
          if (waiting === mine) waiting = undefined
          give(response)
        }
        wait(30).then(alone, alone)
      })
    },
  }
}

const answerOf = (response: StoreResponse, { name, tag }: NewPlant) => withJson(response, 200, { name, tag })

const malformed = raw('{"id":')

/** Responses that belong to another request. */
export const mixingServers: readonly BrokenServer[] = [
  row(
    'swaps-plants',
    'Two Plants that are due at the same time are swapped.',
    pairing,
    swapping(response => response.cause === 'none'),
    crowd(8),
  ),
  row(
    'swaps-responses',
    'Two responses that are due at the same time are swapped.',
    /^createPlant\//,
    swapping(() => true),
    {
      witness: together(
        8,
        times(8, index => (index % 2 ? plant({ name: `plant ${index}` }) : malformed)),
      ),
    },
  ),
  row(
    'answers-the-latest-plant',
    'Every response carries the latest plant.',
    pairing,
    () => {
      let latest: NewPlant | undefined
      return {
        respond: async (response, { wait }) => {
          if (response.cause !== 'none') return response
          latest = response.plant
          await wait(3)
          return latest ? answerOf(response, latest) : response
        },
      }
    },
    crowd(8),
  ),
  row(
    'answers-the-previous-plant',
    'Every response carries the plant of the previous request.',
    pairing,
    () => {
      let previous: NewPlant | undefined
      return {
        respond: response => {
          if (response.cause !== 'none') return response
          const shown = previous ?? response.plant
          previous = response.plant
          return shown ? answerOf(response, shown) : response
        },
      }
    },
    steady(3),
  ),
  row(
    'leaks-the-previous-tag',
    'A plant without a tag comes back with the tag of the previous plant.',
    pairing,
    () => {
      let latest: string | undefined
      return {
        plant: ({ name, tag }) => {
          latest = tag ?? latest
          return { name, tag: latest }
        },
      }
    },
    { witness: inTurn(plant({ tag: 'mine' }), untagged()) },
  ),
  row(
    'remembers-the-first-name',
    'The first name that came with a tag comes back for every plant with that tag.',
    pairing,
    () => {
      const names = new Map<string | undefined, string>()
      return {
        plant: ({ name, tag }) => {
          const first = names.get(tag) ?? name
          names.set(tag, first)
          return { name: first, tag }
        },
      }
    },
    { witness: inTurn(plant({ name: 'first' }), plant({ name: 'second' })) },
  ),
  row(
    'remembers-names-by-length',
    'Names of the same length are confused.',
    pairing,
    () => {
      const names = new Map<number, string>()
      return {
        plant: ({ name, tag }) => {
          const first = names.get(name.length) ?? name
          names.set(name.length, first)
          return { name: first, tag }
        },
      }
    },
    { witness: inTurn(plant({ name: 'fern' }), plant({ name: 'rose' })) },
  ),
  row(
    'repeats-itself-on-a-connection',
    'Every fifth Plant of a connection is its first one again.',
    pairing,
    () => {
      const first = new WeakMap<object, NewPlant>()
      return {
        respond: (response, { request, nthOnSocket: count }) => {
          if (response.cause !== 'none' || !response.plant) return response
          const known = first.get(request.socket) ?? response.plant
          first.set(request.socket, known)
          return count % 5 === 0 ? answerOf(response, known) : response
        },
      }
    },
    steady(6),
  ),
]
