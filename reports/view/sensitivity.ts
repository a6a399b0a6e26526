import { casesOf, type Family, families, type Ledger, plural, thousands } from '../../spec/index.ts'

/** How rare a fault can be and still be seen, for one family of requirements, or for conditions that meet. */
export type Sensitivity = { readonly about: Family | 'pairs'; readonly sentence: string }

/**
 * Says of each family how many cases its passed requirements had, and what they could have missed: n cases that all
 * pass do not rule out a fault that shows in fewer than 1 of n. Observed requirements make no claim and are left out.
 */
export const sensitivities = (ledger: Ledger): readonly Sensitivity[] => [
  ...families.flatMap(family => {
    const cases = ledger.entries
      .filter(({ obligation, verdict }) => obligation.family === family && verdict.kind === 'passed')
      .map(({ verdict }) => casesOf(verdict))
      .sort((left, right) => left - right)
    return cases.length === 0 ? [] : [{ about: family, sentence: sentenceOf(family, cases) }]
  }),
  ...pairsSentence(ledger),
]

/** Says how many pairs of conditions met in a request: a fault that needs two of them at once shows only there. */
const pairsSentence = ({ end }: Ledger): readonly Sensitivity[] => {
  const { covered, total } = end?.pairs ?? { covered: 0, total: 0 }
  if (total === 0) return []
  const share = `${thousands(covered)} of ${plural(total, 'pair')} of conditions (${Math.floor((covered / total) * 100)} %)`
  const hidden =
    covered === total
      ? 'a fault that needs three conditions at once can remain unseen'
      : 'a fault that needs another pair, or three conditions at once, can remain unseen'
  return [
    {
      about: 'pairs',
      sentence: `${share} met in valid requests, such as a negative number beside a long text: ${hidden}`,
    },
  ]
}

const sentenceOf = (family: Family, cases: readonly number[]): string => {
  const typical = cases[Math.floor((cases.length - 1) / 2)] ?? 0
  const isResponse = family === 'response'
  const hidden =
    typical > 1
      ? `a fault that shows in fewer than 1 of ${thousands(typical)} such ${isResponse ? 'responses' : 'requests'} can remain unseen`
      : 'a fault that does not show every time can remain unseen'
  return `${countsOf(cases, typical, isResponse)}: ${hidden}`
}

const countsOf = (cases: readonly number[], typical: number, isResponse: boolean): string => {
  const least = cases[0] ?? 0
  const requirements = plural(cases.length, 'passed requirement')
  const spread = least === typical ? '' : ` (at least ${thousands(least)})`
  // Each requirement of the family judges the same responses: a sum would count them many times.
  if (isResponse) return `${requirements}, typically ${plural(typical, 'response')} each${spread}`
  const sum = cases.reduce((total, value) => total + value, 0)
  const each = cases.length === 1 ? '' : `, typically ${thousands(typical)} each${spread}`
  return `${plural(sum, 'case')} for ${requirements}${each}`
}
