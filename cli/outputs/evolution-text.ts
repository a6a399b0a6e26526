import {
  type Difference,
  type DifferenceLevel,
  type Evolution,
  isCounted,
  type UndecidedPart,
} from '../../conformance/index.ts'
import { prose, workflowCommand } from '../../reports/index.ts'
import { type Paint, plural, safeText, whereText } from '../../spec/index.ts'

const levels: readonly DifferenceLevel[] = ['breaking', 'risky', 'safe']
const colours = { breaking: 'red', risky: 'yellow', safe: 'green' } as const
const operationsShown = 3
const undecidedShown = 10
/** Longer examples are cut; JSON has them whole. */
const longestExample = 400

export type Section = {
  readonly title: string
  readonly level: DifferenceLevel
  readonly differences: readonly Difference[]
}

/** The differences by level, and by whom they concern. */
const sectionsOf = ({ differences }: Evolution): readonly Section[] =>
  levels.flatMap(level =>
    (['old-clients', 'old-servers'] as const).flatMap(concerns => {
      const own = differences.filter(each => each.level === level && each.concerns === concerns)
      const whom =
        concerns === 'old-clients'
          ? 'clients of the old document with servers of the new one'
          : 'clients of the new document with servers of the old one'
      return own.length === 0
        ? []
        : [{ title: level === 'safe' ? level : `${level}: ${whom}`, level, differences: own }]
    }),
  )

/** «2 breaking, 1 risky, 0 safe differences in 12 operations» */
const evolutionSummary = ({ differences, operations, undecided }: Evolution): string => {
  const counts = levels.map(level => `${differences.filter(each => each.level === level).length} ${level}`)
  const isKnown = differences.some(({ consumers }) => consumers !== undefined)
  const counted = differences.filter(isCounted).length
  return [
    differences.length === 0 ? 'no differences' : `${counts.join(', ')}`,
    ...(isKnown ? [`${counted} of the breaking count`] : []),
    `${plural(operations, 'operation')} compared`,
    ...(undecided.length === 0 ? [] : [`${plural(undecided.length, 'part')} not decided`]),
  ].join(' · ')
}

/** `GET /plants, POST /plants and 4 more operations` */
const operationsText = ({ operations }: Difference): string => {
  const shown = operations.slice(0, operationsShown).map(safeText).join(', ')
  const more = operations.length - operationsShown
  return more > 0 ? `${shown} and ${plural(more, 'more operation')}` : shown
}

/** Where the documents say it: `old.yaml:57 → new.yaml:61`, or one place if the other document says nothing. */
const placesText = ({ old, new: now }: Difference): string =>
  [old.place, now.place].flatMap(place => (place === null ? [] : [safeText(whereText(place))])).join(' → ')

/** The example, if it is too long for the sentence. */
const exampleText = ({ witness, message }: Difference): string | null => {
  if (witness === null || message.includes(witness)) return null
  return safeText(witness.length > longestExample ? `${witness.slice(0, longestExample)}…` : witness)
}

/** «breaks checkout-web (sends `total`), not admin-web (never calls it)»; null if no client was named. */
const consumersText = ({ consumers }: Difference): string | null => {
  if (consumers === undefined) return null
  const [hit, others] = [consumers.filter(({ isHit }) => isHit), consumers.filter(({ isHit }) => !isHit)]
  const list = (some: typeof consumers): string =>
    some.map(({ name, because }) => safeText(`${name} (${because})`)).join(', ')
  if (hit.length === 0) return `breaks nobody of ${list(others)}`
  return `breaks ${list(hit)}${others.length === 0 ? '' : `, not ${list(others)}`}`
}

const undecidedText = ({ operation, subject, reason }: UndecidedPart): string =>
  safeText(`${operation}: ${subject}: ${reason}`)

/** An operation that is gone or new takes one line, as there may be many. */
const differenceLines = (difference: Difference, paint: Paint): readonly string[] => {
  const { part, message } = difference
  const [operations, places] = [
    paint('bold', operationsText(difference)),
    paint('dim', placesText(difference)),
  ]
  const consumers = consumersText(difference)
  const whom = consumers === null ? [] : [`    ${consumers}`]
  if (part === 'operation') return [`  ${operations}: ${message} (${places})`, ...whom]
  const example = exampleText(difference)
  return [
    `  ${operations}`,
    `    ${safeText(message)}`,
    ...(example === null ? [] : [`    ${example}`]),
    ...whom,
    `    ${places}`,
  ]
}

export const evolutionText = (evolution: Evolution, paint: Paint): string => {
  const { undecided } = evolution
  const more = undecided.length - undecidedShown
  return [
    ...sectionsOf(evolution).flatMap(({ title, level, differences }) => [
      paint(['bold', colours[level]], title),
      ...differences.flatMap(difference => differenceLines(difference, paint)),
      '',
    ]),
    ...(undecided.length === 0
      ? []
      : [
          paint('bold', 'not decided'),
          ...undecided.slice(0, undecidedShown).map(each => `  ${undecidedText(each)}`),
          ...(more > 0 ? [`  and ${more} more (--format json lists all)`] : []),
          '',
        ]),
    evolutionSummary(evolution),
  ].join('\n')
}

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
