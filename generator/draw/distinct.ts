import { canonical, isArray, isNumber, isObject, type Json } from '../../spec/index.ts'

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
