import { InvalidArgumentError, Option } from 'commander'
import type { ResponseTimeLimit } from '../../spec/index.ts'
import { command, duration, each, path, text, token, withTraits } from './parse.ts'

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
    'also send these operations, although they may destroy data that the run did not create, or --only leaves them out; * for all that cannot end the access of the run or close the service; repeatable',
  ).argParser(each(text)),
]

// A number without a unit would be seconds, as everywhere, and most people think of milliseconds here.
const form = /^(?:(.+):)?(p[5-9]\d|max)=(\d+(?:\.\d+)?(?:ms|s|m|h))$/

/** `p95=300ms` or `createPlant:max=2s`; kept as it is typed. */
export const responseTime = withTraits(
  { schema: { type: 'string', pattern: '^(.+:)?(p[5-9]\\d|max)=\\d+(\\.\\d+)?(ms|s|m|h)$' } },
  (text: string): string => {
    responseTimeLimit(text)
    return text
  },
)

/** Reads what `responseTime` accepts. */
export const responseTimeLimit = (text: string): ResponseTimeLimit => {
  const [, operation, measure, time] = form.exec(text) ?? []
  if (measure === undefined || time === undefined)
    throw new InvalidArgumentError(
      'It must be p50 to p99 or max and a time, such as p95=300ms, or createPlant:p95=300ms for one operation.',
    )
  return {
    ...(operation === undefined ? {} : { operation }),
    measure: measure as ResponseTimeLimit['measure'],
    ms: Math.round(duration(time) * 10_000) / 10,
  }
}

/** Where the token of another user comes from: the same for every command that sends it. */
export type OtherUserFlags = {
  readonly otherToken?: string
  readonly otherTokenCommand?: string
  readonly otherTokenFile?: string
  readonly otherUser?: string
}

export const otherUserOptions = (): readonly Option[] => [
  new Option(
    '--other-token <token>',
    'a valid token of a second user (or PLANTSTORE_OTHER_TOKEN), to test who may have what the first one creates',
  ).argParser(token),
  new Option(
    '--other-token-command <command>',
    'a shell command that prints the token of the second user',
  ).argParser(command),
  new Option('--other-token-file <file>', 'a file that holds the token of the second user').argParser(path),
  new Option('--other-user <name>', 'the second user is this one of --auth-wfc').argParser(text),
]
