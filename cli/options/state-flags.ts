import { Option } from 'commander'
import type { CreatedNames, Fixtures } from '../../conformance/index.ts'
import type { Json } from '../../spec/index.ts'
import { pairs } from './pairs.ts'
import { command } from './parse.ts'

/** What a run may take for granted of the resources on the server, and what it leaves there. */
export type StateFlags = {
  readonly stateless?: boolean
  readonly fixture?: FixtureValues
  readonly fixtureCommand?: string
  readonly created?: CreatedFlag
  readonly keep?: boolean
}

/** `getOrder.orderId=7`; in a file also a map: `getOrder.orderId: 7`, or a list of values. */
export type FixtureValues = readonly string[] | Readonly<Record<string, unknown>>

const scalar = { type: ['string', 'number', 'boolean'] } as const

const fixture = pairs(
  '^[^.=]+\\.[^=]+=.+$',
  { anyOf: [scalar, { type: 'array', items: scalar, minItems: 1 }] },
  /^[^.=]+\.[^=]+=./s,
  'It must be an operation, a parameter and a value, such as getOrder.orderId=7.',
)

/** `createTenant=/name`; in a file also a map: `createTenant: /name`. */
export type CreatedFlag = readonly string[] | Readonly<Record<string, string>>

const created = pairs(
  '^[^=]+=/',
  { type: 'string', pattern: '^/' },
  /^[^=]+=\//,
  'It must be an operation and a JSON pointer to the identifier of what it creates, such as createTenant=/name.',
)

export const stateOptions = (): readonly Option[] => [
  new Option(
    '--fixture <name=value>',
    'a value that exists, by operation and parameter: getOrder.orderId=7 or *.orderId=7; repeatable',
  ).argParser(fixture),
  new Option(
    '--fixture-command <command>',
    'a shell command that creates fixtures, and prints them as JSON: {"getOrder.orderId": 7}',
  ).argParser(command),
  new Option(
    '--created <operation=pointer>',
    'where the response, or else the request, has the identifier of what an operation creates: createTenant=/name; repeatable',
  ).argParser(created),
  new Option('--keep', 'leave what the run created, instead of removing it with the DELETE of the contract'),
  new Option('--stateless', 'skip tests of stored data (for servers that store nothing, such as mocks)'),
]

/** Pointers by operation, as they were written. */
export const createdNamesIn = (values: CreatedFlag | undefined): CreatedNames =>
  Array.isArray(values)
    ? Object.fromEntries(
        values.map((text: string) => {
          const at = text.indexOf('=/')
          return [text.slice(0, at), text.slice(at + 1)]
        }),
      )
    : ((values ?? {}) as CreatedNames)

/** Fixtures as they were written, as lists of values. Throws what `fail` makes of a value that cannot be one. */
export const fixturesIn = (values: FixtureValues | undefined, fail: (message: string) => Error): Fixtures => {
  const all: Record<string, Json[]> = {}
  const pairs = Array.isArray(values)
    ? values.map(
        (text: string) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const,
      )
    : Object.entries(values ?? {})
  for (const [name, given] of pairs) {
    if (!/^[^.=]+\../.test(name))
      throw fail(
        `the fixture ${name} must be named after an operation and a parameter, such as getOrder.orderId`,
      )
    for (const value of Array.isArray(given) ? given : [given]) {
      if (typeof value === 'object')
        throw fail(`the fixture ${name} must be a text or a number, or a list of them`)
      all[name] = [...(all[name] ?? []), value as Json]
    }
  }
  return all
}
