import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  identityNames,
  isCountName,
  isCursorName,
  isServerOwned,
  parameterKind,
  plainName,
  singular,
  summaryKind,
} from '../../../spec/resources/names.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const home = 'spec/resources/names.ts'

/** Some names of each part of the vocabulary. */
const vocabulary = [
  ['id', 'uuid', 'guid', 'key'],
  ['limit', 'pagesize', 'perpage', 'page', 'offset', 'skip', 'cursor', 'after', 'startafter', 'pagetoken'],
  ['next', 'nextcursor', 'nexttoken', 'hasmore', 'total', 'totalcount', 'nextpage', 'nextpagetoken'],
  [
    'created',
    'updated',
    'modified',
    'changed',
    'edited',
    'createdat',
    'updatedat',
    'createtime',
    'updatetime',
  ],
]

/** What the vocabulary calls its own kinds: a list of these alone is none of names. */
const kinds = ['page', 'offset', 'cursor', 'size', 'next', 'total']

/** The lists of words in a text: array literals of strings, and alternatives of regular expressions. */
const listsIn = (text: string): readonly (readonly string[])[] => {
  const arrays = text.match(/\[(\s*(\.\.\.\[)?\s*(['`])[^'`\n]*\3\s*\]?,?)+\s*\]/g) ?? []
  const patterns = text.match(/\/\^?[^/\n]*\|[^\n]*\/[a-z]*/g) ?? []
  return [
    ...arrays.map(array => [...array.matchAll(/['`]([^'`]*)['`]/g)].map(([, name = '']) => plainName(name))),
    ...patterns.map(pattern =>
      pattern
        .replace(/\[[^\]]*\]\??/g, '')
        .split(/[^a-z]+/i)
        .map(plainName),
    ),
  ]
}

const hasVocabulary = (text: string): boolean =>
  listsIn(text).some(list =>
    vocabulary.some(names => {
      const found = names.filter(name => list.includes(name))
      return found.length >= 3 && found.some(name => !kinds.includes(name))
    }),
  )

describe('one vocabulary', () => {
  test('no other file has such a list', () => {
    const files = globSync('{spec,generator,mock,conformance,reports,cli,playwright-runner}/**/*.ts', {
      cwd: root,
    })
    expect(files.length).toBeGreaterThan(500)
    expect(files.filter(file => hasVocabulary(readFileSync(`${root}/${file}`, 'utf8')))).toEqual([home])
  })

  test.each([
    "const names = ['id', '_id', 'uuid', 'guid']",
    'const own = /^(created|updated|modified)([-_]?(at|on))?$/i',
    'const sizes = /^(page[-_]?token|cursor|after)$/',
  ])('%s is such a list', text => expect(hasVocabulary(text)).toBe(true))
})

test('names are told apart without case and signs', () => {
  expect(['p', '$skip', 'startAfter', 'page[size]', 'order_by', 'blatt'].map(parameterKind)).toEqual([
    ...['page', 'offset', 'cursor', 'size', 'sort'],
    null,
  ])
  expect(['has_more', 'nextCursor', 'totalItems', 'page-count', 'weiter'].map(summaryKind)).toEqual([
    ...['more', 'next', 'total', 'pages'],
    null,
  ])
  expect(['count', 'total'].map(isCountName)).toEqual([true, false])
  expect(['nextPageToken', 'page_cursor', 'name'].map(isCursorName)).toEqual([true, true, false])
})

test('what servers set themselves', () => {
  expect(
    ['createTime', 'update_time', 'createdAt', 'last-modified', 'etag', '_links'].filter(isServerOwned),
  ).toHaveLength(6)
  expect(
    ['create', 'update', 'change', 'name', 'date', 'deleted', 'revisions'].filter(isServerOwned),
  ).toEqual([])
})

test('identities, and one of several', () => {
  expect(identityNames('order')).toContain('orderId')
  expect(identityNames()).toEqual(['id', '_id', 'uuid', 'guid', 'pk', 'key'])
  expect(['orders', 'boxes', 'classes', 'categories', 'address'].map(singular)).toEqual([
    ...['order', 'box', 'class', 'category', 'address'],
  ])
})
