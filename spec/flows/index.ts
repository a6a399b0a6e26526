// Workflows of Arazzo documents, and runtime expressions.

export { criterionText, firstUnmet, valuesText } from './criteria.ts'
export { type Exchange, evaluated, evaluatedAll, type Known, resolved } from './expression.ts'
export { type Criterion, type Flow, type FlowAction, FlowError, type FlowStep } from './flow.ts'
export { flowObligationsOf } from './flow-obligations.ts'
export { type OpenOther, readFlows } from './read-flows.ts'
export { loadPathsOf, placesOfPath } from './selector.ts'
