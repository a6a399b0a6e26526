// Workflows of Arazzo documents, and runtime expressions.

export { criterionText, firstUnmet, valuesText } from './condition.ts'
export { type Exchange, evaluated, evaluatedAll, type Known, resolved } from './expression.ts'
export {
  type Criterion,
  type Flow,
  type FlowAction,
  FlowError,
  type FlowStep,
  flowObligationsOf,
} from './flow.ts'
export { type OpenOther, readFlows } from './read-flows.ts'
export { loadPathsOf, placesOfPath } from './selector.ts'
