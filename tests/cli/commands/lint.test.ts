import { expect, test } from 'vitest'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

test('lint lists each gap with its line and operation, and sums them up', async () => {
  const spec = writeDocument(
    'api.json',
    documentWith({ '/a': { get: { responses: { 400: { description: 'no' } } } } }),
  )
  const { code, stdout } = await plantstore(['lint', '--spec', spec])
  expect(code).toBe(0)
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/api\.json:10: .+ declares no success$/),
    '',
    '1 gap: no success in 1 operation',
  ])
  const { stdout: json } = await plantstore(['lint', '--spec', spec, '--format', 'json'])
  expect(JSON.parse(json)).toMatchObject([{ kind: 'success', place: { line: 10 } }])
})

test('lint says that the plant store’s document has none', async () => {
  const { code, stdout } = await plantstore(['lint'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'no gaps: every operation declares what answers valid and invalid requests\n',
  })
})
