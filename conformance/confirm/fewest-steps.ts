import { fewest } from '../../generator/index.ts'
import type { SpareStep } from '../cases/case.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { spareSteps } from '../state/chains.ts'
import { failsAgain } from './resend.ts'
import type { ConfirmOptions } from './resend-options.ts'

/**
 * The incident with the fewest steps of its chain that show the same: what fails without a read before it is no fault of a cache, and what
 * one neighbour suffers needs no other. Each try is a whole chain on the server.
 */
export const withFewestSteps = (
  obligation: string,
  incident: Incident,
  options: ConfirmOptions,
): Promise<Incident> => {
  const { testCase } = incident
  const spare = spareSteps(options.model, testCase)
  return fewest<SpareStep, Incident>(spare, incident, async rest => {
    // The chain asks nothing without any neighbour.
    if ((rest.length === 0 && spare.includes('before')) || options.budget.left <= 0) return null
    const leftOut = spare.filter(step => !rest.includes(step))
    const next = await failsAgain(obligation, { ...testCase, leftOut }, testCase.spec, options)
    return next !== null && shownBy(next) === shownBy(incident) ? next : null
  })
}

/** What is wrong, and the outcome of the step that shows it, without values that differ from resource to resource. */
const shownBy = ({ testCase: { chain }, outcome, violation: { step, title = '' } }: Incident): string => {
  const shows = step === undefined ? outcome : (chain?.steps[step]?.outcome ?? outcome)
  return `${signature(shows)} ${title.replace(/"[^"]*"|\d+/g, '')}`
}
