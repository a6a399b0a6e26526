/** Tries many settings and networks on broken servers: exit code 1 if one of them gives a green run in silence. `-- RUNS`, default 400. */
import fc from 'fast-check'
import { examples, neverGreen } from '../tests/faults/never-green-law.ts'

/** Runs mostly wait for their network. */
const atOnce = 4
const runs = Number(process.argv[2] ?? 400)

const tally = new Map<string, number>()
const check = () =>
  fc.check(
    neverGreen(conclusion => {
      const name = conclusion ?? 'none'
      tally.set(name, (tally.get(name) ?? 0) + 1)
    }),
    { numRuns: Math.ceil(runs / atOnce), endOnFailure: true, examples },
  )

const results = await Promise.all(Array.from({ length: atOnce }, check))
process.stdout.write(`${[...tally].map(([name, count]) => `${name} ${count}`).join(' · ')}\n`)
for (const result of results.filter(({ failed }) => failed))
  process.stdout.write(`${fc.defaultReportMessage(result)}\n`)
process.exitCode = results.some(({ failed }) => failed) ? 1 : 0
