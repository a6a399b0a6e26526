import {
  canonical,
  decodedText,
  type HttpResponse,
  latin1,
  type Operation,
  plural,
  safeText,
  type TrafficEntry,
  thousands,
} from '../../spec/index.ts'
import type { Context, ServedDocument } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'
import { LRUCache } from '../lru-cache.ts'
import { type ApiServer, anySecret, judgeEntry, type PlacedEntry, placeTraffic } from './place-traffic.ts'

/** What a file has recorded, to be replayed. */
export type Recording = { readonly file: string; readonly entries: readonly TrafficEntry[] }

export type RecordedAnswer = { readonly place: string; readonly response: HttpResponse }

export type RecordedAnswers = {
  /** The answer to a request that was judged, for a client; null: none is recorded. */
  readonly next: (context: Context, client: string) => RecordedAnswer | null
  /** What a user should know of the record, one line each. */
  readonly notes: readonly string[]
}

/** A request and its answers, in their order. */
type Group = { readonly question: string; readonly answers: Answer[] }
type Answer = RecordedAnswer & {
  /** What the request breaks. */
  readonly broken: ReadonlySet<string>
}

const brokenBy = ({ judged }: Context): ReadonlySet<string> => new Set(judged?.violations.map(({ id }) => id))

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.symmetricDifference(other).size === 0

/** How many requests of clients are remembered that have had an answer. */
const mostPositions = 100_000

export const createRecordedAnswers = (
  documents: readonly ServedDocument[],
  { file, entries }: Recording,
  server: ApiServer,
): RecordedAnswers => {
  const { placed } = placeTraffic(entries, documents, server)
  const answerable = placed.filter(isWhole)
  const groups = new Map<string, Group>()
  const faults: string[] = []
  for (const each of answerable) {
    const context = judgeEntry(each)
    const question = questionOf(context)
    const { entry, target } = each
    if (question === null || entry.response === null) continue
    const group = groups.get(question) ?? { question, answers: [] }
    groups.set(question, group)
    const broken = brokenBy(context)
    group.answers.push({ place: entry.place, response: entry.response, broken })
    const [first] = context.forwarded?.violations ?? []
    if (first !== undefined)
      faults.push(
        safeText(
          `  ${entry.place}, ${entry.method} ${pathOf(target)}: the recorded ${entry.response.status} breaks the contract: ${first.title ?? first.actual} (${first.id})`,
        ),
      )
  }
  // What a secret stands in may have any text there.
  const open = [...groups.values()]
    .filter(({ question }) => question.includes(anySecret))
    .map(group => ({ ...group, form: formOf(group.question) }))
  const positions = new LRUCache<string, number>({ max: mostPositions })
  return {
    next: (context, client) => {
      const question = questionOf(context)
      if (question === null) return null
      const group = groups.get(question) ?? open.find(({ form }) => form.test(question))
      // A request without credentials is not answered like one with them, nor the other way round.
      const broken = brokenBy(context)
      const answers = (group?.answers ?? []).filter(answer => isSame(answer.broken, broken))
      const key = `${client}\n${group?.question}`
      const position = positions.get(key) ?? 0
      positions.set(key, position + 1)
      return answers[Math.min(position, answers.length - 1)] ?? null
    },
    notes: notesOf(file, entries.length, placed.length, answerable.length, faults),
  }
}

/** A 304 answers what a client has already, and is for no other. */
const isWhole = ({ entry: { response, unjudged } }: PlacedEntry): boolean =>
  response !== null && unjudged === null

/** What a request asks, as one text for all requests of the same meaning; null: it is for no operation, or was not read whole. */
const questionOf = ({ request, judged }: Context): string | null => {
  if (judged === null || request.tooLarge) return null
  const { method, target, body } = request
  const keys = credentialNames(judged.operation)
  const query = [...new URLSearchParams(target.split('#')[0]?.split('?').slice(1).join('?'))]
    .filter(([name]) => !keys.has(name.toLowerCase()))
    // Those of one name keep their order, which may mean something.
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  const sent =
    judged.body !== undefined ? canonical(judged.body) : body === null ? '' : JSON.stringify(latin1(body))
  return [method, judged.operation.id, decodedText(pathOf(target)), JSON.stringify(query), sent].join('\n')
}

/** The query parameters that are credentials, in lower case. */
const credentialNames = ({ security }: Operation): ReadonlySet<string> =>
  new Set([
    'access_token',
    ...security
      .flat()
      .flatMap(scheme =>
        scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.key.toLowerCase()] : [],
      ),
  ])

const formOf = (question: string): RegExp =>
  new RegExp(`^${question.split(anySecret).map(RegExp.escape).join('[^\\n]*?')}$`)

const mostShown = 10

const notesOf = (
  file: string,
  all: number,
  placed: number,
  answerable: number,
  faults: readonly string[],
): readonly string[] => [
  `${file}: replays ${thousands(answerable)} of ${plural(all, 'recorded response')}${
    placed < all
      ? `; ${plural(all - placed, 'request')} ${all - placed === 1 ? 'is' : 'are'} for no operation`
      : ''
  }${answerable < placed ? `; ${plural(placed - answerable, 'response')} ${placed - answerable === 1 ? 'is' : 'are'} not in the file as a whole` : ''}`,
  ...faults.slice(0, mostShown),
  ...(faults.length > mostShown ? [`  and ${faults.length - mostShown} more that break the contract`] : []),
]
