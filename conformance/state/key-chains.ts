/** Chains of requests with keys: the same request twice, or another one with the same key. */
import { type Json, type KeyName, keyHeaderOf, otherKeyed, sameJson } from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import type { ChainSteps, RunSteps } from './chain-steps.ts'
import { ChainInterrupted } from './creator.ts'

type Keyed = { readonly spec: RequestSpec; readonly key: Json; readonly outer: readonly Json[] }

/** The request of the case, with values and a key that no other has. */
const keyedOf = async ({
  makerOf,
  operation,
  resource,
  outerValues,
  subjectSpec,
  varied,
}: ChainSteps): Promise<Keyed> => {
  const { sender, model } = makerOf(operation.id)
  const spec = sender.withNewKey(varied(subjectSpec()))
  const key = spec?.parameters[keyHeaderOf(model.contract, operation)?.name ?? '']
  if (spec === undefined || key === undefined) throw new ChainInterrupted('no key fits its schema')
  return { spec, key, outer: await outerValues(resource) }
}

const isDone = ({ operation, steps }: ChainSteps, index: number): boolean => {
  const outcome = steps.at(index)?.outcome
  if (outcome?.kind === 'response' && outcome.response.status === 202)
    throw new ChainInterrupted(`${operation.id} answered 202: what it does is not done yet`)
  return outcome !== undefined && hasDone(operation, outcome)
}

/** Sends the request for the first time. */
const first = async (chain: ChainSteps, { spec, outer }: Keyed): Promise<void> => {
  const { request, makerOf, operation } = chain
  const outcome = await request('create', makerOf(operation.id), spec, outer)
  if (!isDone(chain, -1))
    throw new ChainInterrupted(`${operation.id} answered ${summary(outcome)} to the first request with a key`)
}

/** What is listed before and after shows what was created without a word. */
const betweenLists = async (
  chain: ChainSteps,
  { outer }: Keyed,
  work: () => Promise<void>,
): Promise<void> => {
  const isListed = await chain.listAll(outer)
  await work()
  if (isListed) await chain.listAll(outer)
}

export const keyChains: Readonly<Record<KeyName, RunSteps>> = {
  'key-once': async chain => {
    const keyed = await keyedOf(chain)
    await betweenLists(chain, keyed, async () => {
      await first(chain, keyed)
      await chain.request('subject', chain.makerOf(chain.operation.id), keyed.spec, keyed.outer)
    })
  },
  'key-answer': async chain => {
    const keyed = await keyedOf(chain)
    await first(chain, keyed)
    await chain.request('subject', chain.makerOf(chain.operation.id), keyed.spec, keyed.outer)
  },
  'key-other-body': async chain => {
    const keyed = await keyedOf(chain)
    const other = chain.varied(keyed.spec)
    if (sameJson(other.body ?? null, keyed.spec.body ?? null))
      throw new ChainInterrupted('its body has no value that could be another one')
    await betweenLists(chain, keyed, async () => {
      await first(chain, keyed)
      await chain.request('subject', chain.makerOf(chain.operation.id), other, keyed.outer)
    })
  },
  'key-other-operation': async chain => {
    const { operation, makerOf, plainSpec, outerValues, request } = chain
    const keyed = await keyedOf(chain)
    const { contract } = makerOf(operation.id).model
    const other = otherKeyed(contract, operation)
    if (other?.create == null) throw new ChainInterrupted('no other operation takes keys')
    const maker = makerOf(other.create.id)
    const name = keyHeaderOf(contract, other.create)?.name ?? ''
    if (maker.model.parameters.find(each => each.parameter.name === name)?.isValid(keyed.key) !== true)
      throw new ChainInterrupted(`no key fits ${operation.id} and ${other.create.id}`)
    const outer = await outerValues(other)
    const plain = plainSpec(maker)
    await first(chain, keyed)
    await request(
      'subject',
      maker,
      { ...plain, parameters: { ...plain.parameters, [name]: keyed.key } },
      outer,
    )
  },
  'key-at-once': async chain => {
    const { operation, makerOf, request } = chain
    const keyed = await keyedOf(chain)
    await betweenLists(chain, keyed, async () => {
      const maker = makerOf(operation.id)
      await Promise.all(
        (['create', 'subject'] as const).map(role => request(role, maker, keyed.spec, keyed.outer)),
      )
      const [one, other] = [isDone(chain, -1), isDone(chain, -2)]
      if (!one && !other)
        throw new ChainInterrupted(`${operation.id} accepted neither of two requests with the same key`)
    })
  },
}
