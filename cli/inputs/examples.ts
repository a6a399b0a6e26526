import type { Examples } from '../../conformance/index.ts'
import {
  type Contract,
  isArray,
  isObject,
  type Json,
  plural,
  thousands,
  writeJson,
} from '../../spec/index.ts'
import { say } from '../process/terminal.ts'

/** The values of valid requests in the file of `--examples`, by operation. Throws UsageError. */
export const examplesIn = async (
  file: string | undefined,
  contract: Contract,
  target: URL | string,
): Promise<Examples | undefined> => {
  if (file === undefined) return undefined
  const [{ createTrafficJudge, anySecret }, { trafficIn }] = await Promise.all([
    import('../../mock/index.ts'),
    import('./traffic.ts'),
  ])
  const isShown = (value: Json): boolean => !writeJson(value).includes(anySecret)
  const judge = await createTrafficJudge({ contract, warn: say })
  try {
    const { placed } = judge.place(trafficIn(file), { url: new URL(target), isOnly: false })
    const valid = placed
      // What the server rejected is no example, whatever the document says of it.
      .filter(({ entry: { response, isBodyCut } }) => !isBodyCut && (response?.status ?? 200) < 400)
      .flatMap(each => {
        const { violations, request } = judge.judge(each)
        return violations.length > 0 || request === null ? [] : [request]
      })
    const byOperation = Map.groupBy(valid, ({ operation }) => operation.id)
    say(
      `${file}: ${plural(valid.length, 'valid request')} of ${thousands(placed.length)} ${valid.length === 1 ? 'is an example' : 'are examples'}, for ${plural(byOperation.size, 'operation')}`,
    )
    return Object.fromEntries(
      [...byOperation].map(([id, requests]) => [
        id,
        {
          parameters: valuesByName(
            isShown,
            requests.flatMap(({ operation, parameters }) => {
              const keys = credentialsOf(operation)
              return Object.entries(parameters).filter(([name]) => !keys.has(name.toLowerCase()))
            }),
          ),
          bodies: requests
            .flatMap(({ body }) => (body === undefined ? [] : [withoutSecrets(body)]))
            .filter(isShown),
        },
      ]),
    )
  } finally {
    await judge.close()
  }
}

const credentialsOf = ({ security }: Contract['operations'][number]): ReadonlySet<string> =>
  new Set(security.flat().flatMap(scheme => (scheme.kind === 'apiKey' ? [scheme.key.toLowerCase()] : [])))

const valuesByName = (
  isShown: (value: Json) => boolean,
  values: readonly (readonly [name: string, value: Json])[],
): Readonly<Record<string, readonly Json[]>> =>
  Object.fromEntries(
    [...Map.groupBy(values, ([name]) => name)]
      .filter(([name]) => !secretName.test(name))
      .map(([name, all]) => [name, all.map(([, value]) => value).filter(isShown)]),
  )

const secretName = /(?:token|secret|password|api[-_]?key|session|cookie)$/i

/** A body that needs its secret is not valid without it, and no example. */
const withoutSecrets = (value: Json): Json => {
  if (isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !secretName.test(name))
      .map(([name, each]) => [name, withoutSecrets(each)]),
  )
}
