import type { Outcome } from '../../spec/index.ts'
import { endsInName } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import { isOwnName, ownReason } from '../options/own-user.ts'
import type { Fixtures } from '../options/run-options.ts'
import { caseWith, isInvalidName, isOfOperation, specWith, useOf } from '../pool/bound-spec.ts'
import { type Binder, chainOf } from '../pool/instance.ts'
import type { ChainRunner } from './chains.ts'
import { fixturesOf, removedBy, withFixtureHint, withFixtures } from './fixtures.ts'
import { ofNobody } from './fresh-names.ts'
import { createNamesFor, type NamesOptions } from './names-for.ts'

export type BinderOptions = NamesOptions & {
  readonly fixtures: Fixtures
  readonly token: () => string
  readonly runChain: ChainRunner
}

const nothingToDo = (): void => {}

/** Null if the operation neither names what exists, nor creates or lists what others name. */
export const createBinder = (model: OperationModel, options: BinderOptions): Binder | null => {
  const { graph, instancePool, created, names: fresh, fixtures: all, token, runChain, stateless } = options
  const { operation } = model
  const names = graph.namesIn(operation)
  const creates = graph.createdBy(operation)
  const removed = removedBy(operation, names)
  const fixtures = fixturesOf(all, operation.id, model.parameters, removed)
  const hasFixtures = model.parameters.some(({ parameter }) => fixtures.isGiven(parameter.name))
  const use = useOf(model, graph, true)
  const isList = graph.resources.some(({ list }) => list === operation)
  if (names.length === 0 && creates === null && !isList && !hasFixtures) return null
  const namesFor = createNamesFor(model, fixtures, options)

  const hinted = (reason: string): string => withFixtureHint(reason, graph, operation, names)

  const bind: Binder['bind'] = async (testCase, isKnown) => {
    if (!isOfOperation(model, testCase))
      return {
        ...{
          kind: 'bound',
          testCase: ofNobody(model, names, fresh, testCase, token()),
          mayBeGone: () => false,
        },
        ...{ done: nothingToDo, doneBefore: nothingToDo },
      }
    const found = await namesFor.given(testCase, isKnown)
    if ('missing' in found) return { kind: 'missing', reason: hinted(found.missing) }
    const { values, instance, exists, done } = found
    const chain = instance === null ? { steps: [], values, exists } : { ...chainOf(instance), values, exists }
    const property = namesFor.property(found)
    const { obligation } = testCase
    const renamed = specWith(model, testCase.spec, names, values, property, obligation)
    const spec = hasFixtures ? withFixtures(model, fixtures, renamed, obligation) : renamed
    const bound = caseWith(model, testCase, spec, names.length === 0 ? undefined : chain, token())
    if (bound === null && !stateless && isInvalidName(model, names, values))
      return {
        kind: 'missing',
        reason: hinted(`the name ${JSON.stringify(values.at(-1))} of what exists is not allowed in the path`),
      }
    const sent = bound ?? testCase
    const name = sent.spec.parameters[names.at(-1)?.parameter ?? '']
    if (use !== 'read' && isOwnName(token(), name)) return { kind: 'missing', reason: ownReason }
    const since = performance.now()
    return {
      kind: 'bound',
      testCase: sent,
      mayBeGone: () =>
        exists && instance !== null && (instancePool.mayBeRenamed(instance) || created.mayBeGone(instance)),
      done: (outcome, asSent = sent) => {
        done(outcome, asSent)
        note(asSent, outcome, since)
      },
      doneBefore: (outcome, asSent) => note(asSent, outcome, since),
    }
  }

  const note = (testCase: TestCase, outcome: Outcome, since = performance.now() - outcome.ms): void => {
    if (!isOfOperation(model, testCase) || !hasDone(operation, outcome)) return
    const exists = testCase.chain?.exists === true
    const values = names.flatMap(({ parameter }) => testCase.spec.parameters[parameter] ?? [])
    // What exists and has a new value now was not created by that.
    if (creates !== null && (operation.method === 'POST' || !exists))
      instancePool.noteCreation(creates, { ...testCase, chain: { steps: [], values, exists } }, outcome)
    const target = names.at(-1)?.resource
    if (target === undefined || !endsInName(operation.path)) return
    if (operation.method === 'DELETE') instancePool.noteRemoval(target, values, since)
    else if (use !== 'read') instancePool.noteChange(target, values, testCase.spec.body, outcome)
  }

  return {
    bind,
    note,
    otherNames: namesFor.otherNames,
    askBy: namesFor.askBy,
    askForKind: namesFor.askForKind,
    isAction: namesFor.isAction,
    setRepeatable: namesFor.setRepeatable,
    runChain: testCase => runChain(model, testCase, note),
  }
}
