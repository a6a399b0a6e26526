import { describe, expect, test } from 'vitest'
import { createLanguage } from '../../../conformance/schema/language.ts'
import { seededSource } from '../../../conformance/schema/source.ts'

const patterns = [
  '^[a-z]{3}$',
  'a',
  '^(a|bc)*$',
  '(^a|b)$',
  '^[^\\s]+$',
  '^\\p{L}+$',
  '^(?=.*\\d)(?=.*[a-z])\\w{4,8}$',
  '^(?!foo)[a-z]+$',
  '^(\\(\\d{3}\\))?\\d{3}-\\d{4}$',
  '[\\u{1F300}-\\u{1F320}]$',
  '^$',
  '(ab)\\1',
]

describe.each(patterns)('%s', pattern => {
  test.each([true, false])('is matched or not as asked: %s', matching => {
    const language = createLanguage(matching ? [pattern] : [], matching ? [] : [pattern], 0, 100)
    if (language === null || language === 'empty') throw new Error(`${language}`)
    const source = seededSource(5)
    const texts = [...language.edges, ...Array.from({ length: 100 }, () => language.draw(source))]
    expect(texts.filter(text => new RegExp(pattern, 'u').test(text) !== matching)).toEqual([])
  })
})

test('lengths are kept, counted in characters', () => {
  const language = createLanguage(['^[🌱🌳]+$'], [], 7, 7)
  if (language === null || language === 'empty') throw new Error(`${language}`)
  expect([...language.draw(seededSource(1))]).toHaveLength(7)
})

test('what no text can be is told', () => {
  expect(createLanguage(['^a', '^b'], [], 0, 9)).toBe('empty')
  expect(createLanguage(['^a{3}$'], [], 4, 9)).toBe('empty')
  expect(createLanguage([], ['^[^]*$'], 0, 9)).toBe('empty')
})
