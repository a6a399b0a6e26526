/**
 * Draws time and memory against the amount of work, and fits how they grow: exit code 1 if one grows faster than in proportion.
 * `-- --full` adds the amounts that take minutes; `-- NAME` measures only what has NAME in its title or kind of work.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machine, publish, table } from './page.ts'
import { exponentOf } from './scaling/exponent.ts'
import { type Measure, type Measured, measures } from './scaling/measures.ts'
import { picture } from './scaling/picture.ts'

/** What is above this is explained on the page, or fixed. */
const most = 1.1

const flags = process.argv.slice(2)
const wanted = flags.find(flag => !flag.startsWith('--')) ?? ''
const log = (text: string): void => void process.stderr.write(`${text}\n`)

type Result = Measure & { readonly points: readonly Measured[] }

const results: Result[] = []
for (const each of measures.filter(({ title, work }) => `${title} ${work}`.includes(wanted))) {
  const points: Measured[] = []
  for (const amount of [...each.amounts, ...(flags.includes('--full') ? each.full : [])]) {
    const point = await each.measure(amount)
    log(`${each.title}: ${amount} ${each.work}: ${point.ms.toFixed(2)} ms, ${point.megabytes.toFixed(0)} MB`)
    points.push(point)
  }
  results.push({ ...each, points })
}

const timeOf = ({ points }: Result) => points.map(({ amount, ms }) => ({ amount, cost: ms }))
const memoryOf = ({ points }: Result) => points.map(({ amount, megabytes }) => ({ amount, cost: megabytes }))
const shown = (exponent: number): string => (Number.isNaN(exponent) ? 'flat' : exponent.toFixed(2))
const figure = (value = Number.NaN): string =>
  value < 100 ? value.toPrecision(2) : Math.round(value).toLocaleString('en-US')
const range = (values: readonly number[], unit: string): string =>
  `${figure(values[0])} to ${figure(values.at(-1))} ${unit}`

const section = [
  `\`npm run bench:scaling\` on ${machine()}. *Grows with*: the exponent of a fit, 1 for in proportion, without what the smallest amount takes; *flat*: hardly more than that. In the picture, all axes have the same logarithmic scale, and the dashed line shows growth in proportion.`,
  '![Time and memory against the amount of work, on logarithmic axes](images/scaling.svg)',
  table(
    ['', 'work', 'time', 'grows with', 'peak memory', 'grows with'],
    results.map(result => [
      result.title,
      `${result.points[0]?.amount.toLocaleString('en-US')} to ${result.points.at(-1)?.amount.toLocaleString('en-US')} ${result.work}`,
      range(
        result.points.map(({ ms }) => ms),
        'ms',
      ),
      shown(exponentOf(timeOf(result))),
      range(
        result.points.map(({ megabytes }) => megabytes),
        'MB',
      ),
      shown(exponentOf(memoryOf(result))),
    ]),
  ),
].join('\n\n')

if (flags.includes('--write'))
  writeFileSync(
    fileURLToPath(new URL('../docs/images/scaling.svg', import.meta.url)),
    picture(
      results.map(result => ({
        title: result.title,
        work: result.work,
        curves: [
          { name: 'time', unit: 'ms', points: timeOf(result) },
          { name: 'memory', unit: 'MB', points: memoryOf(result) },
        ],
      })),
    ),
  )
publish('bench:scaling', section)
if (results.some(result => [timeOf(result), memoryOf(result)].some(points => exponentOf(points) > most)))
  process.exitCode = 1
