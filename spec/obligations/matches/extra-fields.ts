import { header } from '../../http/exchange.ts'
import { isObject } from '../../json/json.ts'
import { cookiePairs, percent, queryPairs } from '../../serialization/parse-parameter.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import type { SentRequest } from './values.ts'

/** All fields of a request: its query parameters, headers, cookies and properties. */
export const fieldsOf = ({ request: { headers, target }, body }: SentRequest): readonly ExtraField[] => [
  ...queryOf(target).map(([name, value]) => ({ in: 'query', name, value: percent(value) }) as const),
  ...headers.map(([name, value]) => ({ in: 'header', name, value }) as const),
  ...cookiePairs(header(headers, 'cookie') ?? '').map(
    ([name, value]) => ({ in: 'cookie', name, value: percent(value) }) as const,
  ),
  ...Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ in: 'body', name, value } as const] : [],
  ),
]

/** The query of a request target, as pairs. */
export const queryOf = (target: string): ReturnType<typeof queryPairs> => {
  const mark = target.indexOf('?')
  return mark < 0 ? [] : queryPairs(target.slice(mark + 1))
}

/** Whether a request has all of these headers. */
export const hasHeaders = ({ request }: SentRequest, fields: readonly ExtraField[]): boolean =>
  fields.every(({ name, value }) => header(request.headers, name.toLowerCase()) === value)
