import { InvalidArgumentError } from 'commander'
import type { ResponseTimeLimit } from '../../spec/index.ts'
import { duration, withTraits } from './parse.ts'

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
