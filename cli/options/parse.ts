import { InvalidArgumentError } from 'commander'
import { credentialFormPattern, credentialForms, tokenPattern } from '../../spec/defaults.ts'
import { reference } from './environment.ts'

/** Parses one value of an option from text, and describes what a configuration file may hold for it. */
export type Parse<T> = ((text: string) => T) & Traits

export type Traits = {
  /** The JSON Schema of what a file may give. */
  readonly schema?: object
  /** How a list becomes text: each value by itself, or all with commas. */
  readonly many?: 'each' | 'commas'
  /** Rewrites the paths in a value, which are relative to the folder of the file that gives it. */
  readonly mapPaths?: (value: never, map: MapPath) => unknown
  /** Whether a file may hold the value itself, where a flag can only name another file. */
  readonly inline?: boolean
  /** Whether a file may give it as a number. */
  readonly isNumber?: boolean
  readonly unit?: string
  /** Whether a file's `${NAME}` is left to the shell, so that its value is in no record of the settings. */
  readonly isShell?: boolean
}

/** Makes a path relative to the working directory; URLs stay as they are. */
export type MapPath = (path: string) => string

export const withTraits = <F extends (text: string, before: never) => unknown>(
  traits: Traits,
  parse: F,
): F & Traits => Object.assign(parse, traits)

/** An integer within bounds. */
export const integer = (least: number, most: number): Parse<number> =>
  withTraits({ schema: { type: 'integer', minimum: least, maximum: most }, isNumber: true }, text => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(
        `It must be a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
      )
    return value
  })

/** `0.9` */
export const share: Parse<number> = withTraits(
  { schema: { type: 'number', minimum: 0, maximum: 1 }, isNumber: true },
  text => {
    const value = Number(text)
    if (text.trim() === '' || !(value >= 0 && value <= 1))
      throw new InvalidArgumentError('It must be a number from 0 to 1, such as 0.9.')
    return value
  },
)

/** `30s`, `2m`, `500ms` or plain seconds, in seconds. */
export const duration: Parse<number> = withTraits(
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

/** `2/4`: the second shard of four. */
export const shard: Parse<{ readonly index: number; readonly of: number }> = text => {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError('It must be a number and a count, such as 2/4.')
  return { index, of }
}

export const isHttp = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

export const target: Parse<URL> = text => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isHttp(url))
    throw new InvalidArgumentError('It must be an http or https URL, such as http://127.0.0.1:4010.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('It must be a base URL, without credentials, query and fragment.')
  return url
}

export const endpoint: Parse<URL> = text => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isHttp(url) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new InvalidArgumentError(
      'It must be an http or https URL without credentials, such as https://endpoint.example.test/path.',
    )
  return url
}

export const token: Parse<string> = withTraits(
  { schema: { type: 'string', pattern: `^${reference}$` } },
  text => {
    if (!new RegExp(tokenPattern).test(text))
      throw new InvalidArgumentError('It must be visible ASCII characters, with spaces at most between them.')
    return text
  },
)

const nonEmpty = { type: 'string', minLength: 1 } as const

/** The name of a security scheme, and its secret or where that comes from. */
export type NamedSecret = readonly [scheme: string, from: string]

const namedSecret =
  (parse: Parse<string>) =>
  (given: string): NamedSecret => {
    const [, name, from] = /^([^=]+)=(.+)$/s.exec(given) ?? []
    if (name === undefined || from === undefined)
      throw new InvalidArgumentError(
        'It must be the name of a security scheme and what follows =, such as apiKey=….',
      )
    return [name, parse(from)]
  }

export const secret: Parse<NamedSecret> = withTraits(
  { schema: { type: 'string', pattern: `^[^=]+=${reference}$` } },
  namedSecret(token),
)

/** How a token is sent. */
export const auth: Parse<string> = withTraits({ schema: nonEmpty }, text => {
  if (!new RegExp(credentialFormPattern).test(text))
    throw new InvalidArgumentError(`It must be ${credentialForms}.`)
  return text
})

export const list = <T extends string>(known: readonly T[]): Parse<readonly T[]> =>
  withTraits({ schema: oneOrMore({ enum: [...known, 'all'] }), many: 'commas' }, text => {
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

const notEmpty = (value: string): string => {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

export const text: Parse<string> = withTraits({ schema: nonEmpty }, value => notEmpty(value))

/** A command for the shell. */
export const command: Parse<string> = withTraits({ schema: nonEmpty, isShell: true }, value =>
  notEmpty(value),
)

export const secretCommand: Parse<NamedSecret> = withTraits(
  { schema: { type: 'string', pattern: '^[^=]+=.+$' }, isShell: true },
  namedSecret(command),
)

export const secretPath: Parse<NamedSecret> = withTraits(
  {
    schema: { type: 'string', pattern: '^[^=]+=.+$' },
    mapPaths: ([name, file]: NamedSecret, map: MapPath) => [name, map(file)],
  },
  namedSecret(text),
)

const mapPath = (path: string, map: MapPath): string => map(path)

export const path: Parse<string> = withTraits({ schema: nonEmpty, mapPaths: mapPath }, value =>
  notEmpty(value),
)

/** The path of a file; in a configuration also its content, a value of this schema. */
export const pathOr = (schema: object): Parse<string> =>
  withTraits({ schema: { anyOf: [nonEmpty, schema] }, mapPaths: mapPath, inline: true }, value =>
    notEmpty(value),
  )

/** `/billing=payments.yaml`: a path prefix, and the document to serve below it. */
export const mount: Parse<readonly [prefix: string, from: string]> = withTraits(
  {
    schema: { type: 'string', pattern: '^/[^=]*=.+$' },
    mapPaths: ([prefix, document]: readonly [string, string], map: MapPath) => [prefix, map(document)],
  },
  given => {
    const [, prefix, from] = /^(\/[^=]*)=(.+)$/s.exec(given) ?? []
    if (prefix === undefined || from === undefined)
      throw new InvalidArgumentError('It must be a prefix and a document, such as /billing=payments.yaml.')
    return [prefix, from] as const
  },
)

export const basePath: Parse<string> = withTraits(
  { schema: { type: 'string', pattern: '^(auto|none|/.+)$' } },
  given => {
    if (given !== 'auto' && given !== 'none' && !/^\/./.test(given))
      throw new InvalidArgumentError('It must be auto, none, or a path such as /v1.')
    return given
  },
)

/** Collects the values of an option that may be repeated. */
export const each = <T>(
  parse: Parse<T>,
): ((text: string, before: readonly T[] | undefined) => readonly T[]) & Traits =>
  withTraits(
    {
      schema: oneOrMore(parse.schema ?? nonEmpty),
      many: 'each',
      mapPaths: (values: readonly T[], map: MapPath) =>
        values.map(value => parse.mapPaths?.(value as never, map) ?? value),
    },
    (text: string, before: readonly T[] | undefined) => [...(before ?? []), parse(text)],
  )

const oneOrMore = (item: object): object => ({ anyOf: [item, { type: 'array', items: item, minItems: 1 }] })
