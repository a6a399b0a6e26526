import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadContract, stateObligationsOf } from '../../../spec/index.ts'
import { nounIn } from '../../../spec/resources/resource.ts'

test.each([
  ['/plants/{plantId}', 'plant'],
  ['/care-plans/{id}', 'care plan'],
  ['/carePlans/{care_plan_uuid}', 'care plan'],
  ['/people/{personId}', 'person'],
  ['/shelves/{shelf}/books/{bookId}', 'book'],
  ['/shelves/{shelf}', 'shelf'],
  ['/users/{username}', 'user'],
  ['/repos/{owner}/{repo}', 'repo'],
  ['/categories/{id}', 'category'],
  ['/plants/{plantId}.json', 'plant'],
  ['/v2/{id}', 'resource'],
  ['/{id}', 'resource'],
])('what %s names is a %s', (path, noun) => {
  expect(nounIn(path)).toBe(noun)
})

test('requirements name the things and operations of the document', async () => {
  const from = fileURLToPath(new URL('../../state/shelves.openapi.yaml', import.meta.url))
  const lines = stateObligationsOf(await loadContract({ from })).map(
    ({ id, requirement }) => `${id}: ${requirement}`,
  )
  expect(lines).toMatchInlineSnapshot(`
    [
      "getShelf/state/unchanged: getShelf does not change the shelf",
      "getShelf/state/unknown: getShelf does not find a shelf that does not exist",
      "putShelf/state/read-back: a created shelf can be read with getShelf",
      "putShelf/state/stored: getShelf returns a created shelf with the values sent to putShelf, or the values in its response",
      "putShelf/state/apart: each created shelf gets an identifier of its own, and creating another shelf leaves it unchanged",
      "removeShelf/state/gone: getShelf does not find a removed shelf",
      "removeShelf/state/again: a second removeShelf for the same shelf is answered with a status below 500",
      "removeShelf/state/apart: removeShelf leaves every other shelf as it is",
      "listBooks/state/contains: listBooks lists a created book",
      "listBooks/state/items: listBooks returns a created book with the values sent to addBook, or the values in its response",
      "listBooks/state/unchanged: listBooks does not change any book",
      "addBook/state/read-back: a created book can be read with getBook",
      "addBook/state/stored: getBook returns a created book with the values sent to addBook, or the values in its response",
      "addBook/state/apart: each created book gets an identifier of its own, and creating another book leaves it unchanged",
      "addBook/state/location: getBook finds a created book at the Location of the response",
      "addBook/state/unknown-parent: addBook creates no book below a shelf that does not exist",
      "getBook/state/unchanged: getBook does not change the book",
      "getBook/state/unknown: getBook does not find a book that does not exist",
      "getBook/state/elsewhere: getBook does not find a book below another shelf than its own",
      "removeBook/state/gone: getBook does not find a removed book",
      "removeBook/state/unlisted: listBooks does not list a removed book",
      "removeBook/state/again: a second removeBook for the same book is answered with a status below 500",
      "removeBook/state/apart: removeBook leaves every other book as it is",
    ]
  `)
})
