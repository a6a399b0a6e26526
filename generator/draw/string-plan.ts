import { canonical, isArray, isNumber, isObject, type Json, wholePattern } from '../../spec/index.ts'
import type { NormalForm } from '../constraints/normal-form.ts'
import { formatPatterns } from '../domains/format-patterns.ts'
import { drawnFormats } from '../domains/formats.ts'
import { createLanguage, oneIn, pick, type RandomSource } from '../domains/language.ts'
import { lengthOf } from '../oracles/assertions.ts'
import { regExpOf } from '../read/regexp.ts'
import { impractical, type ValuePlan } from './value-plan.ts'

// Longer strings cost more than they show; they are built only if the schema requires them.
const longest = 70_000
const longestBuilt = 2_000_000
const usualRange = 24

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

/**
 * Builds strings: from an automaton if patterns or formats apply, else words and ordinary characters of any length allowed. `whole`: they
 * match patterns without anchors as a whole, if they can (see `wholePattern`).
 */
export const createStringPlan = (form: NormalForm, whole: boolean): ValuePlan | null => {
  const { patterns } = form.string
  const wholePatterns = whole ? patterns.map(wholeOf) : patterns
  if (wholePatterns.every((pattern, index) => pattern === patterns[index])) return planOf(form)
  const plan = planOf({ ...form, string: { ...form.string, patterns: wholePatterns } })
  return plan?.fitsIn(0) ? plan : planOf(form)
}

const wholeOf = (pattern: string): string => {
  // Of two parentheses that do not match, the group would make some that do.
  regExpOf(pattern)
  return wholePattern(pattern)
}

const planOf = (form: NormalForm): ValuePlan | null => {
  const { min, max, patterns, notPatterns, formats, notFormats } = form.string
  if (min > max) return null
  const top = Math.min(max, Math.max(longest, min))
  if (top > longestBuilt) return impractical
  const fits = (text: string): boolean => {
    if (form.excluded.size > 0 && form.excluded.has(JSON.stringify(text))) return false
    const length = lengthOf(text)
    return (
      length >= min &&
      length <= max &&
      patterns.every(pattern => regExpOf(pattern).test(text)) &&
      !notPatterns.some(pattern => regExpOf(pattern).test(text)) &&
      formats.every(name => drawnFormats.get(name)?.matches(text) !== false) &&
      notFormats.every(name => drawnFormats.get(name)?.matches(text) === false)
    )
  }
  const formatShapes = formats.flatMap(name =>
    Object.hasOwn(formatPatterns, name) ? `^(${formatPatterns[name]})$` : [],
  )
  const patterned = patterns.length + notPatterns.length > 0
  const usesAutomaton =
    (patterned && formats.length === 0) ||
    (formatShapes.length > 0 && (patterned || min > 0 || max < longest || formatShapes.length > 1))
  const languageOf = (inlineLookaround: boolean) =>
    createLanguage([...patterns, ...formatShapes], notPatterns, min, top, inlineLookaround)
  const first = usesAutomaton ? languageOf(false) : null
  // If no member fits, a lookaround was left out that matters: the text it looks for may have to be there.
  const needsLookaround = first !== null && first !== 'empty' && !first.boundaries.some(fits)
  const second = needsLookaround ? languageOf(true) : null
  const language = second === null || second === 'empty' ? first : second
  // The pattern of a format covers only its plain members: that none of these is left proves nothing.
  if (language === 'empty') return formats.length > 0 ? impractical : null
  const [format] = formats
  const nearMisses = notFormats.flatMap(name => drawnFormats.get(name)?.nearMisses ?? []).filter(fits)

  const propose = (source: RandomSource): string => {
    if (format !== undefined && language === null) return drawnFormats.get(format)?.draw(source) ?? ''
    if (nearMisses.length > 0 && !oneIn(source, 4)) return pick(source, nearMisses)
    if (language !== null) return language.draw(source)
    return ordinary(source, min, top)
  }
  const draw = (source: RandomSource): string | undefined => {
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const text = propose(source)
      if (fits(text)) return text
    }
    return undefined
  }

  const boundaries = (depth: number): readonly string[] => {
    const fixed = [
      ...(language === null ? [] : language.boundaries),
      ...nearMisses,
      ...(format === undefined && language === null ? plainBoundaries(min, top, max) : []),
    ].filter(fits)
    if (depth > 0 && fixed.length > 0) return [...new Set(fixed)]
    if (fixed.length > 0) return fixed.slice(0, 1)
    const drawn = Array.from({ length: depth === 0 ? 20 : 3 }, (_, seed) => draw(plainSource(seed)))
    const found = drawn.filter(text => text !== undefined)
    return depth === 0 ? found.slice(0, 1) : [...new Set(found)]
  }
  let possible: boolean | undefined
  const fitsIn = (depth: number): boolean => {
    possible ??=
      (patterns.length + notPatterns.length + notFormats.length + form.excluded.size === 0 &&
        formats.length < 2) ||
      boundaries(0).length > 0
    return possible && depth >= 0
  }
  return {
    draw,
    boundaries,
    fitsIn,
    allValues: max === 0 && fits('') ? [''] : null,
    isUncertain: () => (patterned || formats.length + notFormats.length > 0) && !fitsIn(0),
  }
}

// A short fixed sequence of numbers is random enough for examples that have to be the same each time.
const plainSource = (seed: number): RandomSource => {
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

const plainBoundaries = (min: number, top: number, max: number): readonly string[] => {
  const bounded = min > 1 || max <= longest
  const lengths = bounded ? [Math.max(1, min), min, min + 1, top - 1, top] : [1]
  const texts = lengths
    .filter(length => length >= min && length <= top && length >= 0)
    .map(length => 'a'.repeat(length))
  return [...texts, ...words.filter(word => word.length > 1).slice(0, 3)]
}

const ordinary = (source: RandomSource, min: number, top: number): string => {
  if (min <= 1 && top > 12 && oneIn(source, 3)) return pick(source, words)
  const least = top === 0 ? 0 : Math.max(min, 1)
  const most = oneIn(source, 12) && top <= 4096 ? top : Math.min(top, least + usualRange)
  const length = oneIn(source, 4) ? pick(source, [least, most]) : source.nextInt(least, most)
  const head = Array.from({ length: Math.min(length, 200) }, () => pick(source, alphabet)).join('')
  // A space only inside the text: strings that some servers trim are an obligation of their own.
  const spaced =
    length > 4 && length <= 200 && oneIn(source, 3)
      ? `${[...head].slice(0, 2).join('')} ${[...head].slice(3).join('')}`
      : head
  return length > 200 ? spaced + 'a'.repeat(length - 200) : spaced
}

/** Values without those that come again, as `canonical` compares them; each is made when it is asked for, and kept. */
export type Distinct = (values: Iterable<Json>) => Iterable<Json>

/**
 * Thousands of large values differ in one property, and share the rest: what is the same object is looked at once. Values must not change
 * afterwards.
 */
export const createDistinct = (): Distinct => {
  const numbers = new Map<string, number>()
  const seen = new WeakMap<object, number>()
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  }
  const textOf = (value: Json): string => {
    if (isArray(value)) return `[${value.map(numberFor).join()}`
    return isObject(value)
      ? `{${Object.keys(value)
          .sort()
          .map(name => `${JSON.stringify(name)}:${numberFor(value[name] as Json)}`)
          .join()}`
      : canonical(value)
  }
  const numberFor = (value: Json): number => {
    if (typeof value !== 'object' || value === null || isNumber(value)) return numberOf(textOf(value))
    const known = seen.get(value) ?? numberOf(textOf(value))
    seen.set(value, known)
    return known
  }
  return values => {
    const source = Iterator.from(values)
    const found: Json[] = []
    const numbersFound = new Set<number>()
    const add = (value: Json): void => {
      const number = numberFor(value)
      if (numbersFound.has(number)) return
      numbersFound.add(number)
      found.push(value)
    }
    return {
      *[Symbol.iterator]() {
        for (let at = 0; ; at++) {
          while (at >= found.length) {
            const next = source.next()
            if (next.done === true) return
            add(next.value)
          }
          yield found[at] as Json
        }
      },
    }
  }
}
