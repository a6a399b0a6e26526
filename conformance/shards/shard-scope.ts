import { type Contract, withCredentialForm } from '../../spec/index.ts'
import type { Rules } from '../options/run-options.ts'
import { createScope, type Scope } from '../options/scope.ts'

/** The scope of a shard. All shards of one run get the very same, as deriving it takes longer than reading a shard. */
export const shardScope = (contract: Contract, rules: Rules, today: string): Scope => {
  const key = JSON.stringify([rules, today.slice(0, 10)])
  const known = scopes.get(contract)
  if (known?.key === key) return known.scope
  const scope = createScope(withCredentialForm(contract, rules.auth), rules, today)
  scopes.set(contract, { key, scope })
  return scope
}

const scopes = new WeakMap<Contract, { readonly key: string; readonly scope: Scope }>()
