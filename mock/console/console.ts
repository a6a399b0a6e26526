import { header } from '../../spec/index.ts'
import type { Inside } from '../build.ts'
import type { Composed } from '../compose.ts'
import type { MockRequest } from '../engine.ts'
import { onChange } from '../on-change.ts'
import { type OwnRoutes, ownJson, ownPrefix, ownText } from '../own.ts'
import { libraryText, pageFile } from './assets.ts'
import { eventStream } from './events.ts'
import { detailOf, summaryOf } from './exchange.ts'
import { type Lodger, type View, viewOf } from './lodgers.ts'
import { samplesOf } from './samples.ts'
import { createExercise } from './seen.ts'
import type { Outline } from './shape.ts'
import { lineOf, sheetOf } from './sheet.ts'
import { shell } from './shell.ts'

/** The console at `/__plantstore/`: its page, and what it shows as JSON. */
export const consoleRoutes = (options: Inside): OwnRoutes => {
  const { homes, journal, tokens, unauthenticated: policy, run } = options
  const view = onChange(homes, current => viewOf(current, policy))
  const exercise = createExercise({ lodgerOf: id => view().lodgers.get(id), journal, tokens, policy })
  // An operation's id may have slashes in it.
  const ofOperation = async (
    parts: readonly string[],
    tell: (lodger: Lodger) => unknown,
  ): Promise<Composed> => {
    const lodger = view().lodgers.get(parts.join('/'))
    return lodger === undefined
      ? ownJson({ message: `there is no operation ${parts.join('/')}` }, 404)
      : ownJson(await tell(lodger))
  }
  return {
    'GET /': ({ target }) =>
      target.split('?')[0] === ownPrefix ? moved(`${ownPrefix}/`) : shell(view().first.title),
    'GET /page': (_request, [name = '']) => pageFile(name),
    'GET /library': (_request, [name = '']) => libraryText(name),
    'GET /events': request => ({
      status: 200,
      headers: [
        ['Content-Type', 'text/event-stream'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ],
      body: new Uint8Array(),
      stream: eventStream(journal, run, header(request.headers, 'last-event-id'), entry =>
        summaryOf(view().mask, entry),
      ),
    }),
    'GET /requests': (request, [number]) => {
      const { mask, lodgers, first } = view()
      if (number === undefined) return ownJson(journal.entries().map(entry => summaryOf(mask, entry)))
      const entry = journal.entries().find(own => String(own.number) === number)
      if (entry === undefined) return ownJson({ message: `request ${number} is not held any more` }, 404)
      const lodger = lodgers.get(entry.operation ?? '')
      const contract = lodger?.contract ?? first
      return ownJson(detailOf(mask, contract, lodger?.obligations() ?? [], entry, originOf(request)))
    },
    'DELETE /requests': () => {
      journal.clear()
      exercise.clear()
      return { status: 204, headers: [], body: new Uint8Array() }
    },
    'GET /seen': () => ownJson(exercise.seen()),
    'GET /contract': (_request, parts) =>
      parts.length === 0 ? ownJson(outlineOf(view(), options)) : ofOperation(parts, sheetOf),
    'GET /samples': (_request, parts) =>
      ofOperation(parts, async lodger => {
        const token = tokens?.[0] ?? anyToken
        const samples = await samplesOf({ ...lodger, obligations: lodger.obligations(), policy, token })
        return samples.map(sample => ({ ...sample, target: lodger.prefix + sample.target }))
      }),
  }
}

const anyToken = 'any-token'

const outlineOf = ({ first, lodgers }: View, { tokens, unauthenticated }: Inside): Outline => ({
  title: first.title,
  version: first.version,
  openapi: first.openapi,
  source: first.source,
  description: String((first.document.info as { description?: string }).description ?? ''),
  anyToken: tokens === null,
  unauthenticated,
  operations: [...lodgers.values()].map(lineOf),
})

const moved = (location: string): Composed => ({
  ...ownText(308, `the console is at ${location}`),
  headers: [['Location', location]],
})

/** Where the page reaches the mock, as it says itself; behind TLS only it knows. */
const originOf = ({ target, headers }: MockRequest): string => {
  const asked = new URLSearchParams(target.split('?')[1] ?? '').get('origin')
  return asked !== null && /^https?:\/\/[^\s/]+$/.test(asked)
    ? asked
    : `http://${header(headers, 'host') ?? 'localhost'}`
}
