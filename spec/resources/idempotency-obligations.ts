import type { Contract, Operation } from '../contract/contract.ts'
import type { Level, ObligationSpec } from '../obligations/obligation.ts'
import type { KeyName } from '../obligations/subject.ts'
import { article } from '../schema/schema-violation.ts'
import { resourcesOf } from './graph.ts'
import { keyHeaderOf } from './request-headers.ts'
import type { Resource } from './resource.ts'

const draft = 'draft-ietf-httpapi-idempotency-key-header'

/**
 * What holds of creations that take a key for each request. The draft has no MUST for servers; but that a key stands for one request is
 * what a document says that declares it, so what is created twice breaks it. How a server answers otherwise is only usual.
 */
export const idempotencyObligations = (
  contract: Contract,
  operation: Operation,
): readonly ObligationSpec[] => {
  const key = keyHeaderOf(contract, operation)
  const resource =
    key === null ? undefined : keyedResources(contract).find(({ create }) => create === operation)
  if (key === null || resource === undefined) return []
  const { path, noun } = resource
  const { id } = operation
  const other = otherKeyed(contract, operation)
  const repeated = `the same request twice with the same \`${key.name}\``
  const row = (
    name: KeyName,
    level: Level,
    input: string,
    requirement: string,
    section: string,
  ): ObligationSpec => ({
    family: 'idempotency',
    level,
    input,
    requirement,
    pointer: key.pointer,
    rfc: `${draft} ${section}`,
    subject: { kind: 'state', name, path },
  })
  return [
    row('key-once', 'MUST', repeated, `the same ${id} request with the same key creates one ${noun}`, '2.6'),
    row(
      'key-answer',
      'SHOULD',
      repeated,
      `${id} should answer the same request with the same key as it did before`,
      '2.6',
    ),
    ...(operation.body === null
      ? []
      : [
          row(
            'key-other-body',
            'SHOULD',
            `another body with a \`${key.name}\` that was used`,
            `${id} should reject another body with a used key, and create no ${noun} from it`,
            '2.7',
          ),
        ]),
    ...(other === undefined
      ? []
      : [
          row(
            'key-other-operation',
            'SHOULD',
            `a \`${key.name}\` that another operation has taken`,
            `${other.create?.id} should not answer with ${article(noun)} because ${id} has taken the same key`,
            '2.2',
          ),
        ]),
    row(
      'key-at-once',
      'MUST',
      `the same request twice at the same time with the same \`${key.name}\``,
      `two ${id} requests with the same key at the same time create one ${noun}`,
      '2.6',
    ),
  ]
}

/** Resources whose creation takes a key, and that can be read. */
const keyedResources = (contract: Contract): readonly Resource[] =>
  resourcesOf(contract).resources.filter(
    ({ create, read }) => create !== null && read !== null && keyHeaderOf(contract, create) !== null,
  )

/** Another resource whose creation takes a key: the next one in the contract; undefined if there is none. */
export const otherKeyed = (contract: Contract, operation: Operation): Resource | undefined => {
  const all = keyedResources(contract)
  const at = all.findIndex(({ create }) => create === operation)
  return [...all.slice(at + 1), ...all.slice(0, Math.max(0, at))][0]
}
