import type { RecordedOperation, RunEvent, Verdict } from '../../../spec/index.ts'
import { end, finding, obligations, start, untested } from '../fixture.ts'

/** A contract of many operations with 21 obligations each; one obligation fails in every tenth operation. */
export const many = (operations: number): readonly RunEvent[] => {
  const ids = Array.from({ length: operations }, (_, index) => `operation${String(index).padStart(3, '0')}`)
  const listed = ids.flatMap((id, index) =>
    obligations.map(each => ({ ...each, id: each.id.replace('createPlant', id), operation: id, index })),
  )
  const recorded: readonly RecordedOperation[] = ids.map(id => ({
    id,
    method: 'POST',
    path: `/v1/${id}/{key}`,
    summary: `Does ${id}`,
  }))
  const verdict = (id: string, family: string, index: number): Verdict => {
    if (id.endsWith('id/type') && index % 10 === 3) return { kind: 'failed', cases: 12, finding: '7f3' }
    if (family === 'stability' && index % 7 === 1)
      return untested('budget', 'the budget was spent before it was reached')
    return family === 'unspecified'
      ? { kind: 'observed', cases: 2, observation: 'accepted' }
      : { kind: 'passed', cases: 40 + index }
  }
  return [
    start({
      operations: recorded,
      obligations: listed.map(({ index: _index, ...each }) => each),
      clauses: ids.map(id => ({
        id: `#/paths/${id}`,
        at: `a.yaml:1`,
        text: `Does ${id}`,
        obligations: obligations.map(each => each.id.replace('createPlant', id)),
        reason: null,
      })),
    }),
    ...ids.flatMap((id, index) =>
      index % 10 === 3 ? [finding('', { obligation: `${id}/request/body/id/type` })] : [],
    ),
    ...listed.map(
      ({ id, family, index }) =>
        ({ type: 'verdict', obligation: id, verdict: verdict(id, family, index) }) as const,
    ),
    end({ conclusion: 'nonconformant' }),
  ]
}
