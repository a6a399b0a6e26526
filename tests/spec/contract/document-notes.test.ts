import { expect, test } from 'vitest'
import { documentNotes, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../contracts.ts'

test('what is not tested is listed without marks that belong to other sentences', async () => {
  const form = { 'application/x-www-form-urlencoded': { schema: { type: 'array' } } }
  const post = {
    requestBody: { content: { ...form, 'application/json': { schema: { type: 'array' } } } },
    responses: { 200: { description: 'ok' } },
  }
  const from = writeDocument('a.json', documentWith({ '/a': { post }, '/b': { post } }))
  const notes = documentNotes(await loadContract({ from }))
  expect(notes.join()).toMatch(/what is not tested: .*, in 2 places$/)
})
