import { expect, test } from 'vitest'
import {
  createHandler,
  createMock,
  DriftError,
  ListenError,
  MutantError,
  OptionError,
  ScenarioError,
  ServerError,
} from '../../mock/index.ts'

test('each error of the mock has a code and a name of its own', () => {
  const errors = [
    new OptionError(''),
    new ListenError(''),
    new ScenarioError(''),
    new MutantError('', null),
    new ServerError(''),
    new DriftError(''),
  ]
  expect(errors.map(({ name, code }) => [name, code])).toEqual([
    ['OptionError', 'PLANTSTORE_OPTION'],
    ['ListenError', 'PLANTSTORE_LISTEN'],
    ['ScenarioError', 'PLANTSTORE_SCENARIO'],
    ['MutantError', 'PLANTSTORE_MUTANT'],
    ['ServerError', 'PLANTSTORE_SERVER'],
    ['DriftError', 'PLANTSTORE_DRIFT'],
  ])
})

test.each([
  ['PLANTSTORE_OPTION', () => createHandler({ documents: { billing: 'x.yaml' } })],
  ['PLANTSTORE_LISTEN', () => createMock({ port: 70_000 })],
  ['PLANTSTORE_SCENARIO', () => createHandler({ scenarioSet: 'none' })],
  ['PLANTSTORE_MUTANT', () => createHandler({ breaks: 'x' })],
])('options that cannot be used throw %s', async (code, create) => {
  await expect(create()).rejects.toMatchObject({ code })
})
