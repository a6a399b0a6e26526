import type { Contract, Operation } from '../../spec/index.ts'
import type { Middleware } from '../engine/context.ts'
import { routeOf } from '../engine/judge.ts'
import type { MockRequest } from '../engine/request.ts'
import { perObject } from '../memo.ts'
import { withPreferences } from '../preferences/prefer.ts'

/** The switches that Prism's users have in bookmarks and tests. */
const switches = ['code', 'example', 'dynamic'] as const

const switchOf = (pair: string): (typeof switches)[number] | undefined =>
  switches.find(name => pair === `__${name}` || pair.startsWith(`__${name}=`))

/**
 * Reads `?__code=404`, `?__example=name` and `?__dynamic=true` as the header `Prefer`, which counts more, and takes them off the target.
 * Off for an operation that declares a parameter of such a name. The first use is told.
 */
export const querySwitches: Middleware = (context, next) => {
  const { document, request } = context
  if (document === null || request.unreadable !== undefined || !request.target.includes('__'))
    return next(context)
  const route = routeOf(document.engine, context)
  if (route.kind !== 'operation' || declaresSwitch(route.operation)) return next(context)
  const { target, values } = withoutSwitches(request)
  if (values.size === 0) return next(context)
  tellOnce(document.contract)(document.engine.warn, [...values.keys()])
  context.request = { ...request, target }
  context.prefer = withPreferences(context.prefer, values)
  return next(context)
}

const declaresSwitch = ({ parameters }: Operation): boolean =>
  parameters.some(({ in: part, name }) => part === 'query' && switchOf(name) !== undefined)

const withoutSwitches = ({
  target,
}: MockRequest): { readonly target: string; readonly values: ReadonlyMap<string, string> } => {
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const values = new Map<string, string>()
  const others = query.split('&').filter(pair => {
    const name = switchOf(pair)
    if (name === undefined) return true
    values.set(name, new URLSearchParams(pair).get(`__${name}`) ?? '')
    return false
  })
  return { target: others.length === 0 ? path : `${path}?${others.join('&')}`, values }
}

const tellOnce = perObject((_contract: Contract) => {
  let isTold = false
  return (warn: (message: string) => void, names: readonly string[]): void => {
    if (isTold) return
    isTold = true
    const written = names.map(name => `__${name}`).join(', ')
    warn(
      `${written} in a query is read as Prism reads it, and not as a parameter; the header Prefer does the same`,
    )
  }
})
