import { InvalidArgumentError, Option } from 'commander'
import type { CreatedNames, Fixtures, VerifyOptions } from '../../conformance/index.ts'
import type { Json } from '../../spec/index.ts'
import { pairs } from './pairs.ts'
import { command, duration, each, type Parse, path, target, withTraits } from './parse.ts'

/** What a run may take for granted of the resources on the server, and what it leaves there. */
export type StateFlags = FlowFlags & {
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
  ...flowOptions(),
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

/** Workflows to run, and their inputs. */
export type FlowFlags = {
  readonly arazzo?: readonly string[]
  readonly arazzoInput?: FlowInputFlag
}

/** `placeOrder.quantity=2`; in a file also a map: `placeOrder.quantity: 2`. */
export type FlowInputFlag = readonly string[] | Readonly<Record<string, unknown>>

const input = pairs(
  '^[^=]+=',
  {},
  /^[^=]+=/,
  'It must be an input and its value, such as placeOrder.quantity=2, or quantity=2 for all workflows.',
)

const flowOptions = (): readonly Option[] => [
  new Option(
    '--arazzo <file>',
    'run the workflows of this Arazzo document, and send invalid requests at each of their steps; repeatable',
  ).argParser(each(path)),
  new Option(
    '--arazzo-input <name=value>',
    'an input of the workflows, as JSON or text: quantity=2 or placeOrder.quantity=2; repeatable',
  ).argParser(input),
]

/** Where callbacks come to, and for how long they are waited for. */
export type ListenFlags = {
  readonly listen?: ListenAddress
  readonly publicUrl?: URL
  readonly callbackWait?: number
  /** Where they go on to, of a proxy. */
  readonly callbacksTo?: URL
}

type ListenAddress = { readonly host?: string; readonly port: number }

/** `9000`, `0.0.0.0:9000` or `[::1]:9000` */
const address: Parse<ListenAddress> = withTraits(
  { schema: { type: ['string', 'integer'], pattern: '^(.+:)?\\d+$', minimum: 0, maximum: 65_535 } },
  text => {
    const [, inBrackets, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? []
    const port = Number(digits)
    if (digits === undefined || port > 65_535)
      throw new InvalidArgumentError('It must be a port, or an address and a port, such as 0.0.0.0:9000.')
    const host = inBrackets ?? plain
    return host === undefined ? { port } : { host, port }
  },
)

/** Where callbacks come to. */
export const addressOfCallbacks = (): readonly Option[] => [
  new Option(
    '--listen <address>',
    'listen on this port, or host:port, for the callbacks and webhooks of the document, and judge them; 0: a free port',
  ).argParser(address),
  new Option(
    '--public-url <url>',
    'the URL by which the server reaches --listen (default: http://127.0.0.1 and the port)',
  ).argParser(target),
]

export const listenOptions = (): readonly Option[] => [
  ...addressOfCallbacks(),
  new Option('--callback-wait <duration>', 'wait up to this time for each callback (default: 5s)').argParser(
    duration,
  ),
]

type Given<Flags> = { readonly [Name in keyof Flags]: Flags[Name] | undefined }

/** Throws what `fail` makes of flags that nothing listens for. */
export const checkListen = (
  { listen, publicUrl, callbackWait, callbacksTo }: Given<ListenFlags>,
  fail: (message: string) => Error,
): void => {
  const others = { '--public-url': publicUrl, '--callback-wait': callbackWait, '--callbacks-to': callbacksTo }
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0]
  if (listen === undefined && other !== undefined)
    throw fail(`${other} is of no use without --listen: add --listen 0 to listen for callbacks`)
}

/** What the flags say of callbacks, as an option. Throws as `checkListen`. */
export const listenOf = (
  flags: ListenFlags,
  fail: (message: string) => Error,
): Pick<VerifyOptions, 'listen'> => {
  checkListen(flags, fail)
  const { listen, publicUrl, callbackWait } = flags
  if (listen === undefined) return {}
  return {
    listen: {
      ...listen,
      ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.href }),
      ...(callbackWait === undefined ? {} : { waitMs: callbackWait * 1000 }),
    },
  }
}
