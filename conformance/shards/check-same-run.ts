import { type Contract, withCredentialForm } from '../../spec/index.ts'
import { ShardError } from '../errors.ts'
import type { Evidence } from '../execute/evidence.ts'
import type { Rules } from '../options/run-options.ts'
import { createScope, type Scope } from '../options/scope.ts'

/** Shards that were started further apart than this are of two runs, one of which was not removed. */
const mostHours = 24

/** Longer values say no more than that they differ. */
const mostShown = 400

/** Throws ShardError if two shards are not of one run. */
export const checkSameRun = (first: Evidence, other: Evidence): void => {
  const [one, two] = [runOf(first), runOf(other)]
  for (const name of Object.keys(one) as (keyof typeof one)[]) {
    const [left, right] = [JSON.stringify(one[name]), JSON.stringify(two[name])]
    if (left === right) continue
    const values = left.length + right.length > mostShown ? '' : `: ${left} and ${right}`
    throw new ShardError(`the shards differ in their ${name}${values}`)
  }
  const hours = Math.abs(Date.parse(first.start.at) - Date.parse(other.start.at)) / 3_600_000
  if (hours > mostHours)
    throw new ShardError(
      `the shards were started ${Math.round(hours)} hours apart: remove the results of the older run`,
    )
}

/** What all shards of a run have in common. */
const runOf = ({ start, rules }: Evidence) => {
  const { testedProduct, runBy, nonce } = start
  const { contract, seed, budget, policies, selection, waivers, product } = start
  return {
    contract: contract.digest,
    seed,
    'number of cases': budget.cases,
    baseline: [rules.baseline, rules.shrinkBaseline],
    pins: rules.pins,
    policies,
    selection,
    waivers,
    version: product.version,
    'product under test': testedProduct ?? null,
    'name of who runs the tests': runBy ?? null,
    nonce: nonce ?? null,
  } as const
}

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
