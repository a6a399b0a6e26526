import { tokenFor } from '../options/run-options.ts'
import { createPlan, type Plan } from '../plan/plan.ts'
import { cachedPlan } from '../plan/plan-cache.ts'
import { isTimeUp } from './run-clock.ts'
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
      unasked,
      contextOf: id => (operations.get(id) as OperationSession).context,
      cases: budgetOf(options),
      tokenOf: id => tokenFor(options, (operations.get(id) as OperationSession).model.operation).value(),
      isTimeUp: () => isTimeUp(clock),
    }),
  )
