import { tokenFor } from '../options/run-options.ts'
import { createPlan, type Plan } from '../plan/plan.ts'
import { cachedPlan } from '../plan/plan-cache.ts'
import { isTimeUp, type RunClock } from './run-clock.ts'
import { budgetOf, type OperationSession, type RunSession } from './session.ts'

/**
 * The plan of the whole run, whichever slices of it this session sends. `unasked`: operations that got no request before, as the time for
 * that was up.
 */
export const planOf = (
  { options, scope, clock, range, operations }: RunSession,
  unasked: ReadonlySet<string>,
): Plan =>
  cachedPlan(options.planCache, range, scope.obligations, () =>
    createPlan({
      obligations: scope.selected,
      acting: scope.acting,
      isLateDue: isLateIn(clock),
      unasked,
      contextOf: id => (operations.get(id) as OperationSession).context,
      cases: budgetOf(options),
      tokenOf: id => tokenFor(options, (operations.get(id) as OperationSession).model.operation).value(),
      isTimeUp: () => isTimeUp(clock),
    }),
  )

/** Of the time of the plan, operations on what acts by itself, and those that take long, wait for so much at most. */
const shareBeforeLate = 0.6

export const isLateIn = ({ deadline }: RunClock): (() => boolean) => {
  const began = performance.now()
  return () => {
    const end = deadline()
    return end !== null && performance.now() > began + shareBeforeLate * (end - began)
  }
}
