import { describe, expect, test } from 'vitest'
import { createLanguage, seededRandomSource } from '../../generator/domains/language.ts'

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
  test.each([true, false])('generates texts that match or do not, as requested: %s', matching => {
    const language = createLanguage(matching ? [pattern] : [], matching ? [] : [pattern], 0, 100)
    if (language === null || language === 'empty') throw new Error(`${language}`)
    const source = seededRandomSource(5)
    const texts = [...language.boundaries, ...Array.from({ length: 100 }, () => language.draw(source))]
    expect(texts.filter(text => new RegExp(pattern, 'u').test(text) !== matching)).toEqual([])
  })
})

test('lengths are respected, counted in characters', () => {
  const language = createLanguage(['^[🌱🌳]+$'], [], 7, 7)
  if (language === null || language === 'empty') throw new Error(`${language}`)
  expect([...language.draw(seededRandomSource(1))]).toHaveLength(7)
})

test('an empty language is recognised', () => {
  expect(createLanguage(['^a', '^b'], [], 0, 9)).toBe('empty')
  expect(createLanguage(['^a{3}$'], [], 4, 9)).toBe('empty')
  expect(createLanguage([], ['^[^]*$'], 0, 9)).toBe('empty')
})
