import { lengthOf } from './assertions.ts'
import { expression } from './expression.ts'
import type { Facts } from './facts.ts'
import { formatShapes } from './format-shapes.ts'
import { stringFormats } from './formats.ts'
import { createLanguage } from './language.ts'
import { beyond, type Plan } from './plan.ts'
import { once, pick, type Source } from './source.ts'

// Longer texts cost more than they show.
const longest = 70_000
const mostMade = 2_000_000
const usual = 24

const words = [
  'a',
  'b',
  'Fern',
  'Monstera',
  'Aloe vera',
  'ivy 2',
  'palm-tree',
  'cactus',
  'ficus_1',
  'Orchidée',
  'Löwenzahn',
  '薔薇',
]
const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,éüßñøЖд花木の']

/** Makes strings: ordinary ones where the facts leave room, of every length that they allow. */
export const createStringPlan = (facts: Facts): Plan | null => {
  const { min, max, patterns, notPatterns, formats, notFormats } = facts.string
  if (min > max) return null
  const top = Math.min(max, Math.max(longest, min))
  if (top > mostMade) return beyond
  const fits = (text: string): boolean => {
    if (facts.excluded.size > 0 && facts.excluded.has(JSON.stringify(text))) return false
    const length = lengthOf(text)
    return (
      length >= min &&
      length <= max &&
      patterns.every(pattern => expression(pattern).test(text)) &&
      !notPatterns.some(pattern => expression(pattern).test(text)) &&
      formats.every(name => stringFormats.get(name)?.holds(text) !== false) &&
      notFormats.every(name => stringFormats.get(name)?.holds(text) === false)
    )
  }
  const shapes = formats.flatMap(name =>
    Object.hasOwn(formatShapes, name) ? `^(${formatShapes[name]})$` : [],
  )
  const patterned = patterns.length + notPatterns.length > 0
  const isPatterned =
    (patterned && formats.length === 0) ||
    (shapes.length > 0 && (patterned || min > 0 || max < longest || shapes.length > 1))
  const languageOf = (read: boolean) => createLanguage([...patterns, ...shapes], notPatterns, min, top, read)
  const exact = isPatterned ? languageOf(false) : null
  // Where lookaround was left out and what came of it does not fit, what it looks for may.
  const isLoose = exact !== null && exact !== 'empty' && !exact.edges.some(fits)
  const other = isLoose ? languageOf(true) : null
  const language = other === null || other === 'empty' ? exact : other
  // A shape has only the plain members of its format: that no such text is left proves nothing.
  if (language === 'empty') return formats.length > 0 ? beyond : null
  const [format] = formats
  const misses = notFormats.flatMap(name => stringFormats.get(name)?.misses ?? []).filter(fits)

  const propose = (source: Source): string => {
    if (format !== undefined && language === null) return stringFormats.get(format)?.draw(source) ?? ''
    if (misses.length > 0 && !once(source, 4)) return pick(source, misses)
    if (language !== null) return language.draw(source)
    return ordinary(source, min, top)
  }
  const draw = (source: Source): string | undefined => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const text = propose(source)
      if (fits(text)) return text
    }
    return undefined
  }

  const edges = (depth: number): readonly string[] => {
    const fixed = [
      ...(language === null ? [] : language.edges),
      ...misses,
      ...(format === undefined && language === null ? plainEdges(min, top, max) : []),
    ].filter(fits)
    if (depth > 0 && fixed.length > 0) return [...new Set(fixed)]
    if (fixed.length > 0) return fixed.slice(0, 1)
    const drawn = Array.from({ length: depth === 0 ? 20 : 3 }, (_, seed) => draw(plainSource(seed)))
    const found = drawn.filter(text => text !== undefined)
    return depth === 0 ? found.slice(0, 1) : [...new Set(found)]
  }
  let possible: boolean | undefined
  const reaches = (depth: number): boolean => {
    possible ??=
      (patterns.length + notPatterns.length + notFormats.length + facts.excluded.size === 0 &&
        formats.length < 2) ||
      edges(0).length > 0
    return possible && depth >= 0
  }
  return {
    draw,
    edges,
    reaches,
    finite: max === 0 && fits('') ? [''] : null,
    unsure: () => (patterned || formats.length + notFormats.length > 0) && !reaches(0),
  }
}

// A few fixed numbers in turn are chance enough for examples that have to be the same each time.
const plainSource = (seed: number): Source => {
  let state = seed * 7919 + 17
  const next = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state >>> 8
  }
  return {
    nextInt: (min, max) => min + (next() % (max - min + 1)),
    nextBigInt: (min, max) => min + (BigInt(next()) % (max - min + 1n)),
  }
}

const plainEdges = (min: number, top: number, max: number): readonly string[] => {
  const bounded = min > 1 || max <= longest
  const lengths = bounded ? [Math.max(1, min), min, min + 1, top - 1, top] : [1]
  const texts = lengths
    .filter(length => length >= min && length <= top && length >= 0)
    .map(length => 'a'.repeat(length))
  return [...texts, ...words.filter(word => word.length > 1).slice(0, 3)]
}

const ordinary = (source: Source, min: number, top: number): string => {
  if (min <= 1 && top > 12 && once(source, 3)) return pick(source, words)
  const least = top === 0 ? 0 : Math.max(min, 1)
  const most = once(source, 12) && top <= 4096 ? top : Math.min(top, least + usual)
  const length = once(source, 4) ? pick(source, [least, most]) : source.nextInt(least, most)
  const head = Array.from({ length: Math.min(length, 200) }, () => pick(source, alphabet)).join('')
  // A blank only between other characters: texts that some servers trim are another matter.
  const spaced =
    length > 4 && length <= 200 && once(source, 3)
      ? `${[...head].slice(0, 2).join('')} ${[...head].slice(3).join('')}`
      : head
  return length > 200 ? spaced + 'a'.repeat(length - 200) : spaced
}
