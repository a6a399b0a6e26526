import { withJson } from './faults.ts'
import { crowd, steady } from './load-requests.ts'
import type { Answer, Broken, NewPlant, Parts } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, plant, raw, times, together } from './sent.ts'

const row = rowsOf('load')

const pairing = /^createPlant\/(load\/|response\/200\/echo)/

const untagged = () => plant({ tag: undefined })
/** Two answers that are due at the same time change places. */
const swapping = (swapped: (answer: Answer) => boolean) => (): Partial<Parts> => {
  let waiting: { readonly answer: Answer; readonly give: (answer: Answer) => void } | undefined
  return {
    respond: async (answer, { wait, running }) => {
      await wait(2)
      if (!swapped(answer) || (running() < 2 && !waiting)) return answer
      if (waiting) {
        const { answer: other, give } = waiting
        waiting = undefined
        give(answer)
        return other
      }
      return new Promise<Answer>(give => {
        const mine = { answer, give }
        waiting = mine
        const alone = () => {
          if (waiting === mine) waiting = undefined
          give(answer)
        }
        wait(8).then(alone, alone)
      })
    },
  }
}

const answerOf = (answer: Answer, { name, tag }: NewPlant) => withJson(answer, 200, { name, tag })

const malformed = raw('{"id":')

/** Answers that belong to another request. */
export const mixingServers: readonly Broken[] = [
  row(
    'swaps-plants',
    'Two Plants that are due at the same time change places.',
    pairing,
    swapping(answer => answer.cause === 'none'),
    crowd(8),
  ),
  row(
    'swaps-answers',
    'Two answers that are due at the same time change places.',
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
    'The plant that came last is answered to all.',
    pairing,
    () => {
      let latest: NewPlant | undefined
      return {
        respond: async (answer, { wait }) => {
          if (answer.cause !== 'none') return answer
          latest = answer.plant
          await wait(3)
          return latest ? answerOf(answer, latest) : answer
        },
      }
    },
    crowd(8),
  ),
  row(
    'answers-the-previous-plant',
    'Each Plant is the one of the request before.',
    pairing,
    () => {
      let previous: NewPlant | undefined
      return {
        respond: answer => {
          if (answer.cause !== 'none') return answer
          const shown = previous ?? answer.plant
          previous = answer.plant
          return shown ? answerOf(answer, shown) : answer
        },
      }
    },
    steady(3),
  ),
  row(
    'leaks-the-previous-tag',
    'A plant without a tag comes back with the tag of the one before.',
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
    'The first name that came with a tag is answered to all with that tag.',
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
    'Every fifth Plant of a connection is the first one again.',
    pairing,
    () => {
      const first = new WeakMap<object, NewPlant>()
      return {
        respond: (answer, { request, nthOnSocket: count }) => {
          if (answer.cause !== 'none' || !answer.plant) return answer
          const known = first.get(request.socket) ?? answer.plant
          first.set(request.socket, known)
          return count % 5 === 0 ? answerOf(answer, known) : answer
        },
      }
    },
    steady(6),
  ),
]
