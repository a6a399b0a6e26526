import { hasPresent, hasValue, isReordered, type Obligation, takesBranch } from '../spec/index.ts'
import type { Model } from './model.ts'
import type { Incident } from './observe.ts'

/** Whether a request is one of those that an obligation to accept is about. */
export const isOf = (
  { contract, body, identity }: Model,
  { subject }: Obligation,
  { asked: { draft } }: Incident,
): boolean => {
  switch (subject.kind) {
    case 'presence':
      return body !== null && hasPresent(body.root, subject.present, draft.body)
    case 'branch':
      return takesBranch(contract, subject, draft)
    case 'layout':
      return (
        subject.layout === 'key-order' &&
        body !== null &&
        isReordered(body.root, draft.body, identity?.name ?? null)
      )
    default:
      return subject.kind === 'value' && hasValue(subject, draft)
  }
}
