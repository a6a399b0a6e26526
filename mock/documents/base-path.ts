import { basePathOf, type Contract, type Router } from '../../spec/index.ts'
import { pathOf } from '../engine/request.ts'
import { OptionError } from '../errors.ts'
import { basePathsOf } from '../failures/undeclared-path.ts'

/** `auto`: the one that all `servers` of a document have; `none`; or a path, such as `/v1`. */
export type BasePathSetting = string

/**
 * The path below which a document is served besides its own paths; empty: there is none. `auto` takes the path of `servers`
 * if all have the same, and no declared path begins with it. Throws OptionError.
 */
export const servedBasePath = (contract: Contract, setting: BasePathSetting): string => {
  if (setting === 'none') return ''
  if (setting !== 'auto') return checked(setting)
  const [first, ...others] = new Set(basePathsOf(contract))
  if (first === undefined || first === '' || others.length > 0) return ''
  return contract.operations.some(({ path }) => isBelow(path, first)) ? '' : first
}

/** The base path of an operation's own servers that a target is below; empty: it is below none. */
export const ownBase = (
  { operations }: Pick<Contract, 'operations'>,
  target: string,
  router: Router,
): string => {
  for (const { servers } of operations)
    for (const base of servers?.map(basePathOf) ?? []) {
      if (base === '' || !isBelow(target, base)) continue
      const route = router('GET', pathOf(below(target, base)))
      if (route.kind === 'no-path') continue
      const { path } = route.operation
      const isServed = operations.some(
        each => each.path === path && each.servers?.map(basePathOf).includes(base),
      )
      if (isServed) return base
    }
  return ''
}

/** A target below a base path without that, unless the target is declared as it stands. */
export const withoutBase = (target: string, base: string, router: Router, path: string): string => {
  if (base === '' || !isBelow(target, base) || router('GET', path).kind !== 'no-path') return target
  return below(target, base)
}

export const isBelow = (target: string, prefix: string): boolean =>
  prefix === '' || (target.startsWith(prefix) && /^(?:[/?#]|$)/.test(target.slice(prefix.length)))

export const below = (target: string, prefix: string): string => {
  const rest = target.slice(prefix.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const checked = (text: string): string => {
  if (!/^(?:\/[\w\-.~!$&'()*+,;:@%]+)+\/?$/.test(text))
    throw new OptionError(
      `${JSON.stringify(text)} is not a valid base path: write it as /v1, or auto to take it from servers, or none`,
    )
  return text.replace(/\/$/, '')
}
