import { type Baseline, causeOf, type Finding, type Waiver, type Waivers } from '../spec/index.ts'

export const expiredNote = ({ obligation, owner, expires }: Waiver): string =>
  `the waiver of ${obligation} (${owner}) expired on ${expires}: mend it, or agree on another day`

/** What is in the baseline, and breaks for another cause now. */
export const changedNotes = (
  findings: readonly Finding[],
  baseline: Baseline,
  waivers: Waivers,
): readonly string[] =>
  findings.flatMap(finding =>
    [finding.obligation, ...finding.also].flatMap(id => {
      const accepted = baseline.of(id)
      const cause = causeOf(finding)
      return accepted === null || accepted.cause === cause || waivers.of(id) !== null
        ? []
        : [`${id} is in the baseline as «${accepted.cause}» and is «${cause}» now: it counts`]
    }),
  )
