import { InvalidArgumentError } from 'commander'
import { reference } from '../config/environment.ts'

/**
 * Reads one value of an option from text, and says what a configuration file may hold for it, so that the two cannot
 * drift apart.
 */
export type Parse<T> = ((text: string) => T) & Traits

export type Traits = {
  /** What a file may give, as a JSON Schema. */
  readonly schema?: object
  /** How several values in a list become text: one after the other, or with commas between them. */
  readonly many?: 'each' | 'commas'
  /** Of a file that is named as seen from another folder: the value as seen from here. */
  readonly moved?: (value: never, from: Moved) => unknown
  /** A file may hold in full what a flag only names the file of. */
  readonly inline?: boolean
  /** A file may give it as a number. */
  readonly isNumber?: boolean
  readonly unit?: string
}

/** A path, or the URL that stands for one, as seen from here. */
export type Moved = (path: string) => string

const as = <F extends (text: string, before: never) => unknown>(traits: Traits, parse: F): F & Traits =>
  Object.assign(parse, traits)

/** A whole number within bounds. */
export const whole = (least: number, most: number): Parse<number> =>
  as({ schema: { type: 'integer', minimum: least, maximum: most }, isNumber: true }, text => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(
        `It must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
      )
    return value
  })

/** `30s`, `2m`, `500ms` or plain seconds, in seconds. */
export const duration: Parse<number> = as(
  {
    schema: { type: ['string', 'number'], pattern: '^\\d+(\\.\\d+)?(ms|s|m|h)?$', exclusiveMinimum: 0 },
    isNumber: true,
    unit: 's',
  },
  text => {
    const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text)
    const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[match?.[2] ?? 's'] ?? 1
    const value = Number(match?.[1]) * unit
    // Timers count milliseconds in 31 bits; a day is well within them.
    if (match === null || value < 0.001 || value > 86_400)
      throw new InvalidArgumentError('It must be a time such as 500ms, 30s or 2m, at most 24h.')
    return value
  },
)

/** `2/4`: the second of four. */
export const shard: Parse<{ readonly index: number; readonly of: number }> = text => {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError('It must be one of how many, such as 2/4.')
  return { index, of }
}

export const target: Parse<URL> = text => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new InvalidArgumentError('It must be an http or https URL, such as http://127.0.0.1:4010.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('It must be a base URL, without credentials, query and fragment.')
  return url
}

export const token: Parse<string> = as({ schema: { type: 'string', pattern: `^${reference}$` } }, text => {
  if (text === '' || /[^\x21-\x7e]/.test(text))
    throw new InvalidArgumentError('It must be one word of visible ASCII characters.')
  return text
})

export const list = <T extends string>(known: readonly T[]): Parse<readonly T[]> =>
  as({ schema: oneOrMore({ enum: [...known, 'all'] }), many: 'commas' }, text => {
    const names = text
      .split(',')
      .map(name => name.trim())
      .filter(Boolean)
    if (names.includes('all')) return known
    const unknown = names.find(name => !known.includes(name as T))
    if (unknown !== undefined || names.length === 0)
      throw new InvalidArgumentError(
        `It must be one or more of ${known.join(', ')}, with commas between them; or all.`,
      )
    return names as readonly string[] as readonly T[]
  })

const filled = { type: 'string', minLength: 1 } as const

const notEmpty = (given: string): string => {
  if (given === '') throw new InvalidArgumentError('It must not be empty.')
  return given
}

export const text: Parse<string> = as({ schema: filled }, given => notEmpty(given))

const movedPath = (path: string, from: Moved): string => from(path)

export const path: Parse<string> = as({ schema: filled, moved: movedPath }, given => notEmpty(given))

/** A file, or in a configuration what it would hold: a value of this schema. */
export const pathOr = (schema: object): Parse<string> =>
  as({ schema: { anyOf: [filled, schema] }, moved: movedPath, inline: true }, given => notEmpty(given))

/** `/billing=payments.yaml`: a prefix of paths, and the document below it. */
export const mount: Parse<readonly [prefix: string, from: string]> = as(
  {
    schema: { type: 'string', pattern: '^/[^=]*=.+$' },
    moved: ([prefix, document]: readonly [string, string], from: Moved) => [prefix, from(document)],
  },
  given => {
    const [, prefix, from] = /^(\/[^=]*)=(.+)$/s.exec(given) ?? []
    if (prefix === undefined || from === undefined)
      throw new InvalidArgumentError('It must be a prefix and a document, such as /billing=payments.yaml.')
    return [prefix, from] as const
  },
)

/** Collects the values of an option that may be given more than once. */
export const each = <T>(
  parse: Parse<T>,
): ((text: string, before: readonly T[] | undefined) => readonly T[]) & Traits =>
  as(
    {
      schema: oneOrMore(parse.schema ?? filled),
      many: 'each',
      moved: (values: readonly T[], from: Moved) =>
        values.map(value => parse.moved?.(value as never, from) ?? value),
    },
    (text: string, before: readonly T[] | undefined) => [...(before ?? []), parse(text)],
  )

const oneOrMore = (item: object): object => ({ anyOf: [item, { type: 'array', items: item, minItems: 1 }] })
