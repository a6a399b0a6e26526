import type { RecordedOperation, RunEvent, Verdict } from '../../spec/index.ts'
import { end, finding, obligations, start } from './fixture.ts'

/** A contract of many operations: about 20 obligations each, one broken in every tenth. */
export const many = (operations: number): readonly RunEvent[] => {
  const ids = Array.from({ length: operations }, (_, index) => `operation${String(index).padStart(3, '0')}`)
  const listed = ids.flatMap((id, index) =>
    obligations.map(each => ({ ...each, id: each.id.replace('createPlant', id), operation: id, index })),
  )
  const told: readonly RecordedOperation[] = ids.map(id => ({
    id,
    method: 'POST',
    path: `/v1/${id}/{key}`,
    summary: `Does ${id}`,
  }))
  const verdict = (id: string, family: string, index: number): Verdict => {
    if (id.endsWith('id/type') && index % 10 === 3) return { kind: 'broken', cases: 12, finding: '7f3' }
    if (family === 'load' && index % 7 === 1)
      return { kind: 'untested', because: 'the budget of cases was spent before it' }
    return family === 'open'
      ? { kind: 'observed', cases: 2, what: 'accepted' }
      : { kind: 'kept', cases: 40 + index }
  }
  return [
    start({
      operations: told,
      obligations: listed.map(({ index: _index, ...each }) => each),
      clauses: ids.map(id => ({
        id: `#/paths/${id}`,
        at: `a.yaml:1`,
        text: `Does ${id}`,
        obligations: obligations.map(each => each.id.replace('createPlant', id)),
        because: null,
      })),
    }),
    ...ids.flatMap((id, index) =>
      index % 10 === 3 ? [finding('', { obligation: `${id}/request/body/id/type` })] : [],
    ),
    ...listed.map(
      ({ id, family, index }) =>
        ({ type: 'verdict', obligation: id, verdict: verdict(id, family, index) }) as const,
    ),
    end({ conclusion: 'broken' }),
  ]
}
