import { isIdentityWord, isNamingName, plainName, singular, wordsOf } from '../../spec/index.ts'

/** A place in a request that a value may be known for. */
export type Place = {
  readonly name: string
  /** What is around it in the path or the body: `flow` of `/flows/{id}`; empty if nothing is. */
  readonly holder: string
  readonly isInPath: boolean
}

/** Where a value was: its name, and what was around it. */
type Origin = { readonly name: string; readonly holder: string }

/** How likely it is that a value is one of this place; 0: nothing says so. */
export const likenessTo = (place: Place): ((entry: Origin) => number) => {
  const name = plainName(place.name)
  const words = wordsOf(place.name)
  const last = words.at(-1) ?? ''
  const isIdentity = isIdentityWord(last)
  const noun = singular(plainName((isIdentity ? words.slice(0, -1) : words).join('')))
  // `alphacode` of `alpha2Code`, `region` of `regions`.
  const bare = withoutDigits(name)
  return entry => {
    const isItem =
      entry.holder !== '' && (entry.holder === noun || (noun === '' && entry.holder === place.holder))
    if (isItem && (entry.name === last || (!isIdentity && isNamingName(entry.name)))) return 100
    if (isIdentity && noun !== '' && entry.name === name) return 95
    if (name === entry.name && !isIdentityOnly(words)) return entry.holder === place.holder ? 90 : 80
    if (isItem && (entry.name === '' || isNamingName(entry.name) || isIdentityWord(entry.name))) return 75
    if (place.isInPath && entry.holder === place.holder && place.holder !== '') {
      if (entry.name === name) return 85
      if (isNamingName(entry.name) || isIdentityWord(entry.name) || entry.name === '') return 60
    }
    if (bare.length > 2 && bare === withoutDigits(singular(entry.name))) return 70
    if (entry.name.length > 3 && noun.length > 3 && (entry.name === noun || singular(entry.name) === noun))
      return 55
    if (
      place.isInPath &&
      noun.length > 2 &&
      entry.holder.startsWith(noun) &&
      /code|iso|name/.test(entry.name)
    )
      return 40
    if (place.isInPath && entry.holder === place.holder && place.holder !== '') return 10
    return 0
  }
}

const isIdentityOnly = (words: readonly string[]): boolean =>
  words.length === 1 && isIdentityWord(words[0] ?? '')

const withoutDigits = (name: string): string => name.replace(/\d/g, '')
