import { Option } from 'commander'
import { each, text } from './parse.ts'

/** What a run tests, and what it may send. */
export type SelectionFlags = {
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly never?: readonly string[]
  readonly include?: readonly string[]
}

export const selectionOptions = (): readonly Option[] => [
  new Option(
    '--only <pattern>',
    'test only these obligations: an id, its beginning, or a pattern with *; repeatable',
  ).argParser(each(text)),
  new Option(
    '--skip <pattern>',
    'leave these obligations out; an operation with none left gets no requests; repeatable',
  ).argParser(each(text)),
  new Option(
    '--never <request>',
    "never send these requests: 'DELETE /admin/*', a path or an operation id, each with *; repeatable",
  ).argParser(each(text)),
  new Option(
    '--include <request>',
    'also send these operations, although they may destroy data that the run did not create, or --only leaves them out; * for all; repeatable',
  ).argParser(each(text)),
]
