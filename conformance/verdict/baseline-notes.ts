import { type Baseline, causeOf, type Finding, isAccepted, type Waivers } from '../../spec/index.ts'

/** One note for each obligation of the baseline that now fails for another cause. */
export const baselineNotes = (
  findings: readonly Finding[],
  baseline: Baseline,
  waivers: Waivers,
): readonly string[] =>
  findings.flatMap(finding =>
    [finding.obligation, ...finding.also].flatMap(id => {
      const accepted = baseline.of(id)
      return accepted === null || isAccepted(accepted, finding) || waivers.of(id) !== null
        ? []
        : [
            `${id} fails for another cause than in the baseline («${causeOf(finding)}», not «${accepted.cause}»), so it counts`,
          ]
    }),
  )
