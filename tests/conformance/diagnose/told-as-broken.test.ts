/** What a mock that breaks one requirement is told to break: that one, and nothing else. */
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { libraryDocument, paymentsDocument } from '../../documents/index.ts'

/** The findings about the operation of a mock that breaks this. */
const toldOf = async (from: string, breaks: string): Promise<readonly string[]> => {
  const contract = await loadContract({ from })
  const [id] = breaks.split('/')
  const alone = { ...contract, operations: contract.operations.filter(operation => operation.id === id) }
  const mock = await createMock({ contract: alone, tokens: ['secret'], breaks, warn: () => {} })
  onTestFinished(mock.close)
  const { findings } = await verify({
    ...{ contract: alone, target: mock.url, token: 'secret', stateless: true },
    ...{ seed: 1, cases: 1500, sustained: 0, include: ['*'] },
  })
  return findings.map(({ obligation }) => obligation)
}

test.each([
  // Whatever it is about, a DELETE of a long number is rejected: the ways of writing requests are not to blame.
  [libraryDocument, 'removeBook/request/valid'],
  [libraryDocument, 'get-books-bookId-text/request/valid'],
  [libraryDocument, 'listBooks/request/query/subject/items/several'],
  [libraryDocument, 'listBooks/request/query/loaned/false'],
  [libraryDocument, 'createLoan/request/body/copies/items/least'],
  [paymentsDocument, 'refund/request/body/tags/items/most'],
  [paymentsDocument, 'refund/request/body/tags/*/right-to-left'],
  [paymentsDocument, 'refund/request/body/lines/items/least'],
  [paymentsDocument, 'pay/request/body/payer/anyOf/0'],
])('%s: %s is told as that, and alone', async (document, breaks) => {
  expect(await toldOf(document, breaks)).toEqual([breaks])
})
