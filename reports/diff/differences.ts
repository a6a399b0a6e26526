import type { StartEvent } from '../../spec/index.ts'

/** What two runs were started with differently, one line each: `seed: 1 → 2`. */
export const differencesOf = (old: StartEvent, next: StartEvent): readonly string[] => {
  const policies = [...new Set([...Object.keys(old.policies), ...Object.keys(next.policies)])]
  const rows: readonly (readonly [name: string, before: string, after: string])[] = [
    // A contract may change and keep its title.
    ['contract', contractText(old), contractText(next)],
    ['seed', String(old.seed), String(next.seed)],
    ['budget', budgetText(old), budgetText(next)],
    ['selection', selectionText(old), selectionText(next)],
    ['product version', old.product.version, next.product.version],
    ...policies.map(
      name => [`policy ${name}`, old.policies[name] ?? 'none', next.policies[name] ?? 'none'] as const,
    ),
  ]
  return rows
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name}: ${before} → ${after}`)
}

const contractText = ({ contract: { title, version, digest } }: StartEvent): string =>
  `${title} ${version} (${digest.slice(0, 8)})`

const budgetText = ({ budget: { cases, seconds } }: StartEvent): string =>
  [...(cases === null ? [] : [`${cases} cases`]), ...(seconds === null ? [] : [`${seconds} s`])].join(', ')

const selectionText = ({ selection: { only, skip } }: StartEvent): string =>
  [...only, ...skip.map(pattern => `not ${pattern}`)].join(', ') || 'all'
