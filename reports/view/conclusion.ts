import { type Conclusion, plural, type Style, thousands } from '../../spec/index.ts'
import type { Summary } from './summary.ts'

/** How every report writes a conclusion. No two share a word, a sign or a colour, so that none is mistaken for another. */
export const conclusions = {
  conformant: { label: 'CONFORMANT', title: 'Conformant', sign: '✓', emoji: '✅', style: 'green' },
  accepted: {
    label: 'ACCEPTED WITH DEVIATIONS',
    title: 'Accepted with deviations',
    sign: '≈',
    emoji: '🟦',
    style: 'blue',
  },
  outdated: {
    label: 'OUTDATED WAIVERS OR BASELINE',
    title: 'Outdated waivers or baseline',
    sign: '!',
    emoji: '⌛',
    style: 'cyan',
  },
  nonconformant: {
    label: 'NOT CONFORMANT',
    title: 'Not conformant',
    sign: '✗',
    emoji: '❌',
    style: 'red',
  },
  partial: { label: 'PARTIAL', title: 'Partial', sign: '◐', emoji: '🟡', style: 'yellow' },
  inconclusive: { label: 'INCONCLUSIVE', title: 'Inconclusive', sign: '?', emoji: '⚠️', style: 'magenta' },
} as const satisfies Readonly<Record<Conclusion, Words>>

type Words = {
  readonly label: string
  readonly title: string
  readonly sign: string
  readonly emoji: string
  readonly style: Style
}

/** `CONFORMANT (204 of 204 MUST passed)`, `PARTIAL: 12 of 209 requirements tested, nothing failed (9 of 204 MUST passed)` */
export const headline = (summary: Summary): string => {
  const detail = summary.conclusion === 'partial' ? `: ${partialText(summary)}` : ''
  return `${conclusionTitle(summary).toUpperCase()}${detail} (${passedText(summary)})`
}

/** `Conformant`, `Accepted with 3 deviations` */
export const conclusionTitle = (summary: Summary): string =>
  summary.conclusion === 'accepted'
    ? `Accepted with ${plural(deviations(summary), 'deviation')}`
    : conclusions[summary.conclusion].title

/** `9 of 204 MUST passed`, `201 of 204 MUST passed, 3 could not be tested`; what failed, if that is not all of the rest */
export const passedText = ({ coverage, strict, counts: { failed } }: Summary): string => {
  const { passed, total, unsupported } = coverage
  const failures = failed > 0 && passed + failed + unsupported < total ? `, ${thousands(failed)} failed` : ''
  const untested = unsupported === 0 ? '' : `, ${thousands(unsupported)} could not be tested`
  return `${thousands(passed)} of ${thousands(total)} MUST${strict ? ' and SHOULD' : ''} passed${failures}${untested}`
}

const deviations = ({ counts }: Summary): number => counts.waived + counts.baselined

/** `12 of 209 requirements tested, nothing failed`; `300 of the 1,000 cases that the contract needs, nothing failed` */
export const partialText = ({ tested, total, cases, needed, counts }: Summary): string => {
  const exceptions = counts.warning + counts.waived + counts.baselined
  const part =
    needed === null
      ? `${thousands(tested)} of ${plural(total, 'requirement')} tested`
      : `${thousands(cases)} of the ${thousands(needed)} cases that the contract needs`
  return `${part}, ${exceptions === 0 ? 'nothing failed' : 'nothing that counts failed'}`
}

/** What a run says of the server, in sentences. */
export const conclusionText = (summary: Summary): string => {
  const { counts, strict } = summary
  const warnings =
    counts.warning === 0
      ? ''
      : ` ${plural(counts.warning, 'SHOULD requirement')} failed: ${counts.warning === 1 ? 'a warning' : 'warnings'}.`
  return `${mainSentence(summary)}${warnings}${strict ? ' SHOULD requirements count as well (--strict).' : ''}`
}

const mainSentence = (summary: Summary): string => {
  const { conclusion, counts, causes, tested, total, cases, needed } = summary
  const warned = counts.warning > 0
  switch (conclusion) {
    case 'conformant':
      return `Every ${warned ? 'MUST requirement' : 'requirement'} that was tested passed${exceptions(summary)}.`
    case 'accepted':
      return `${plural(deviations(summary), 'requirement')} failed and ${deviations(summary) === 1 ? 'is' : 'are'} accepted: ${accepted(summary)}. Every other ${warned ? 'MUST requirement' : 'requirement'} that was tested passed.`
    case 'outdated': {
      const reason =
        counts.fixed > 0
          ? `${plural(counts.fixed, 'requirement passes', 'requirements pass')} again: remove ${counts.fixed === 1 ? 'its waiver or baseline entry' : 'their waivers or baseline entries'}`
          : 'a waiver has expired: remove or renew it'
      const left = total - tested
      const untested = left > 0 ? ` ${plural(left, 'requirement was', 'requirements were')} not tested.` : ''
      return `Nothing new failed, but ${reason}.${untested}`
    }
    case 'partial':
      if (needed !== null)
        return `Only ${thousands(cases)} of the ${thousands(needed)} cases that the contract needs were sent. ${warned ? 'No MUST requirement' : 'Nothing'} failed in them${exceptions(summary)}, but a fault that few requests show may not be among them. A partial run does not show that the server conforms.`
      return `Only ${thousands(tested)} of ${plural(total, 'requirement')} ${tested === 1 ? 'was' : 'were'} tested. ${warned ? 'No MUST requirement among them' : 'None of them'} failed${exceptions(summary)}. A partial run does not show that the server conforms.`
    case 'inconclusive':
      return 'The run could not judge enough to say whether the server conforms.'
    case 'nonconformant': {
      const { length } = causes.failing
      const counted = length > 0 && length < counts.failed ? ` (${plural(length, 'cause')})` : ''
      const excused = accepted(summary)
      return `${thousands(counts.failed)} of ${plural(total, 'requirement')} failed${counted}${excused === '' ? '' : `, not counting ${excused}`}.`
    }
    default:
      return conclusion satisfies never
  }
}

/** `, except 1 waived and 2 in the baseline` */
const exceptions = (summary: Summary): string => {
  const excused = accepted(summary)
  return excused === '' ? '' : `, except ${excused}`
}

const accepted = ({ counts }: Summary): string =>
  [
    ...(counts.waived > 0 ? [`${thousands(counts.waived)} waived`] : []),
    ...(counts.baselined > 0 ? [`${thousands(counts.baselined)} in the baseline`] : []),
  ].join(' and ')
