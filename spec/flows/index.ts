// Workflows of Arazzo documents, and runtime expressions.

export { criterionText, FlowError, firstUnmet, valuesText } from './criteria.ts'
export { type Exchange, evaluated, evaluatedAll, type Known, resolved } from './expression.ts'
export type { Criterion, Flow, FlowAction, FlowStep } from './flow.ts'
export { flowObligationsOf } from './flow-obligations.ts'
export { type OpenOther, readFlows } from './read-flows.ts'
