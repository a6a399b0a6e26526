import {
  type Contract,
  type IdentityRange,
  isOfBody,
  type Obligation,
  type StartEvent,
  traceOf,
} from '../spec/index.ts'
import type { MakerContext } from './makers/index.ts'
import type { Script } from './part.ts'
import type { Plan } from './plan.ts'
import type { RunOptions } from './run-options.ts'

/** The first event of a run: what will be asked, of whom, and by which rules. */
export const startEvent = (options: RunOptions, { obligations, parts }: Script, plan: Plan): StartEvent => {
  const { contract } = options
  return {
    type: 'start',
    product: options.product,
    at: options.at,
    target: options.target.href,
    seed: options.seed,
    contract: {
      title: contract.title,
      version: contract.version,
      openapi: contract.openapi,
      digest: contract.digest,
      source: contract.source,
    },
    policies: {
      unauthenticated: options.unauthenticated,
      strict: String(options.strict),
      ...(options.wire ? { wire: 'malformed HTTP is sent' } : {}),
      ...(options.access.headers.length === 0
        ? {}
        : { 'extra headers': options.access.headers.map(([name]) => name).join(', ') }),
      ...(options.baseline.length === 0 ? {} : { baseline: `accepts ${options.baseline.length}` }),
      ...(options.pins.length === 0 ? {} : { pins: `hold ${options.pins.length}` }),
      token: options.token === null ? 'made up: none was given' : 'given',
      'extremes of strings': 'SHOULD be accepted',
      'echo of what was sent': 'SHOULD be given',
    },
    budget: { cases: options.cases, seconds: options.seconds, concurrency: options.concurrency },
    selection: { only: options.only, skip: options.skip },
    waivers: options.waivers,
    planned: options.cases === null ? null : plan.most,
    identities: parts.flatMap(({ context }) => rangeOf(context, obligations)),
    ...promisesOf(contract, obligations),
  }
}

/** What of a start follows from the contract and what is pinned of it. */
export const promisesOf = (
  contract: Contract,
  obligations: readonly Obligation[],
): Pick<StartEvent, 'operations' | 'obligations' | 'clauses'> => ({
  operations: contract.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  obligations: obligations.map(({ subject: _, pin, ...recorded }) =>
    pin?.obligation === recorded.id ? { ...recorded, pinned: pin.answers } : recorded,
  ),
  clauses: traceOf(contract, obligations),
})

const rangeOf = (
  { model, identities }: MakerContext,
  obligations: readonly Obligation[],
): readonly IdentityRange[] => {
  if (identities === null) return []
  const operation = model.operation.id
  const also = obligations.flatMap(({ operation: own, subject }) =>
    own === operation &&
    subject.kind === 'value' &&
    isOfBody(subject.where) &&
    subject.where.place === `/${identities.name}` &&
    !/-form$/.test(subject.name)
      ? subject.texts
      : [],
  )
  return [{ operation, place: `/${identities.name}`, from: identities.from, to: identities.to, also }]
}
