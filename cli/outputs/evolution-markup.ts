import { type Difference, type Evolution, isCounted } from '../../conformance/index.ts'
import { prose, workflowCommand } from '../../reports/index.ts'
import {
  consumersText,
  evolutionSummary,
  exampleText,
  operationsText,
  placesText,
  sectionsOf,
  undecidedText,
} from './evolution-text.ts'

export const evolutionMarkdown = (evolution: Evolution): string =>
  [
    prose(evolutionSummary(evolution)),
    ...sectionsOf(evolution).flatMap(({ title, differences }) => [
      '',
      `### ${title}`,
      '',
      ...differences.map(each => {
        const example = exampleText(each)
        const consumers = consumersText(each)
        const parts = [
          each.message,
          ...(example === null ? [] : [`\`${example}\``]),
          ...(consumers === null ? [] : [`– ${consumers}`]),
          `(${placesText(each)})`,
        ]
        return `- **${prose(operationsText(each))}**: ${prose(parts.join(' '))}`
      }),
    ]),
    ...(evolution.undecided.length === 0
      ? []
      : ['', '### not decided', '', ...evolution.undecided.map(each => `- ${prose(undecidedText(each))}`)]),
  ].join('\n')

const annotationLevels = { breaking: 'error', risky: 'warning', safe: 'notice' } as const

/** Workflow commands for GitHub Actions: each difference at its line of the new document, or of the old one. */
export const evolutionGithub = (evolution: Evolution): string =>
  [...evolution.differences.map(annotation), evolutionSummary(evolution)].join('\n')

const annotation = (difference: Difference): string => {
  const { level, message, old, new: now } = difference
  const place = now.place ?? old.place
  return workflowCommand(
    annotationLevels[level === 'breaking' && !isCounted(difference) ? 'risky' : level],
    {
      title: `${level}: ${operationsText(difference)}`,
      file: place?.file ?? '',
      line: place === null ? '' : String(place.line),
    },
    [message, exampleText(difference), consumersText(difference), placesText(difference)]
      .filter(line => line !== null)
      .join('\n'),
  )
}
