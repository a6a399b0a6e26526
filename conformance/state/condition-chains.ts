/** Chains of requests with conditions (RFC 9110, 13): with the ETag of a resource, with an old one, with none. */
import {
  type ConditionName,
  header,
  headerParameter,
  type Operation,
  writingLevel,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { ParameterModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import type { Instance } from '../pool/instance.ts'
import { withHeader } from '../send/given-headers.ts'
import type { ChainSteps, RunSteps } from './chain-steps.ts'
import { ChainInterrupted } from './creator.ts'

/** What no resource has. */
const madeUp = '"plantstore-of-nothing"'

/** The ETag in the last answer. */
const tagIn = ({ read, steps }: ChainSteps): string => {
  const outcome = steps.at(-1)?.outcome
  const tag = outcome?.kind === 'response' ? header(outcome.response.headers, 'etag') : null
  if (tag === null) throw new ChainInterrupted(`${read.id} gives no ETag`)
  return tag
}

const read = async (chain: ChainSteps): Promise<{ readonly instance: Instance; readonly tag: string }> => {
  const instance = await chain.create('create')
  await chain.readFirst(instance.values)
  return { instance, tag: tagIn(chain) }
}

/** The same for what is written: the comparison of If-Match takes no weak tags. */
const readStrongly: typeof read = async chain => {
  const found = await read(chain)
  if (found.tag.startsWith('W/'))
    throw new ChainInterrupted(
      `${chain.read.id} gives a weak ETag, which If-Match never takes (RFC 9110 13.1.1)`,
    )
  return found
}

const readWith = async (chain: ChainSteps, { values }: Instance, tag: string): Promise<void> => {
  const maker = chain.makerOf(chain.read.id)
  await chain.request(
    'subject',
    maker,
    withHeader(chain.read, chain.plainSpec(maker), 'If-None-Match', tag),
    values,
  )
}

const writeWith = (
  { makerOf, request }: ChainSteps,
  operation: Operation,
  spec: RequestSpec,
  { values, property }: Instance,
  tag: string | null,
) =>
  request(
    'subject',
    makerOf(operation.id),
    tag === null ? spec : withHeader(operation, spec, 'If-Match', tag),
    values,
    property,
  )

/** A request whose condition holds may be refused for another reason: only these statuses are about conditions. */
const write = async (chain: ChainSteps, instance: Instance, tag: string): Promise<void> => {
  const { operation, subjectSpec } = chain
  const outcome = await writeWith(chain, operation, subjectSpec(), instance, tag)
  const status = outcome.kind === 'response' ? outcome.response.status : 500
  if (!hasDone(operation, outcome) && status < 500 && status !== 412 && status !== 428)
    throw new ChainInterrupted(
      `${operation.id} answered ${summary(outcome)} to a request with the right If-Match`,
    )
}

/** Changes the resource, so that its ETag is an old one; gives false if nothing changes it. */
const makeOld = async (chain: ChainSteps, instance: Instance, tag: string): Promise<boolean> => {
  const { operation, resource, makerOf, steps } = chain
  const write = operation === resource.remove ? (resource.change ?? resource.replace) : operation
  if (write === null) return false
  const maker = makerOf(write.id)
  if (maker.valid === undefined) throw new ChainInterrupted(`no valid request can be made for ${write.id}`)
  // What created it may have the same values.
  const { spec } = maker.sender.varied(maker.sender.validCase(maker.valid, 'rich'))
  const condition = writingLevel(write, chain.read) === null ? null : tag
  const outcome = await writeWith(chain, write, spec, instance, condition)
  if (!hasDone(write, outcome))
    throw new ChainInterrupted(`${write.id} answered ${summary(outcome)} to the change before`)
  const before = steps.findLast(({ role }) => role === 'read')?.outcome
  await chain.readFirst(instance.values)
  const after = steps.at(-1)?.outcome
  const isSame =
    before?.kind === 'response' &&
    after?.kind === 'response' &&
    Buffer.compare(before.response.body, after.response.body) === 0
  if (isSame) throw new ChainInterrupted(`${write.id} changed nothing, so that no ETag is an old one`)
  tagIn(chain)
  return true
}

export const conditionChains: Readonly<Record<ConditionName, RunSteps>> = {
  'if-same': async chain => {
    const { instance, tag } = await read(chain)
    await readWith(chain, instance, tag)
  },
  'if-other': async chain => {
    const { instance } = await read(chain)
    await readWith(chain, instance, madeUp)
  },
  'if-old': async chain => {
    const { instance, tag } = await readStrongly(chain)
    const isOld = await makeOld(chain, instance, tag)
    await writeWith(chain, chain.operation, chain.subjectSpec(), instance, isOld ? tag : madeUp)
    await chain.readBack(instance.values)
  },
  'if-current': async chain => {
    const { instance, tag } = await readStrongly(chain)
    await write(chain, instance, tag)
  },
  'if-any': async chain => {
    const { makerOf, operation } = chain
    const parameter = headerParameter(operation, 'If-Match')
    const isAllowed = ({ parameter: each, isValid }: ParameterModel): boolean =>
      each !== parameter || isValid('*')
    if (!makerOf(operation.id).model.parameters.every(isAllowed))
      throw new ChainInterrupted(`the document does not allow \`If-Match: *\` for ${operation.id}`)
    await write(chain, await chain.create('create'), '*')
  },
  'if-absent': async chain => {
    const instance = await chain.create('create')
    await chain.readFirst(instance.values)
    await writeWith(chain, chain.operation, chain.subjectSpec(), instance, null)
    await chain.readBack(instance.values)
  },
}
