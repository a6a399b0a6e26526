import { Option } from 'commander'
import type { RuleSettings } from '../../mock/index.ts'
import { UsageError } from '../process/exit.ts'
import { pairs } from './pairs.ts'

/** `listOrders.n=size`; in a file also a map: `listOrders.n: size`. */
export type RuleValues = readonly string[] | Readonly<Record<string, unknown>>

const rule = pairs(
  '^[^=]+\\.[^=]+=.+$',
  { type: ['string', 'boolean'] },
  /^[^=][^=.]*\.[^=]+=./s,
  'It must be an operation, a parameter and what it does, such as listOrders.n=size.',
)

export const ruleOption = (): Option =>
  new Option(
    '--rule <name=rule>',
    'what effect a parameter has on the response: listOrders.n=size, listOrders.who=filter:customer, *.q=off; repeatable',
  ).argParser(rule)

/** The rules that flags or a file give. In YAML 1.1, which some editors write, `off` is false. */
export const rulesIn = (values: RuleValues | undefined): RuleSettings =>
  Object.fromEntries(
    Array.isArray(values)
      ? values.map((text: string) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)])
      : Object.entries(values ?? {}).map(([name, value]) => {
          if (value !== false && typeof value !== 'string')
            throw new UsageError(`the rule ${name} must be a text, such as size or off`)
          return [name, value === false ? 'off' : value]
        }),
  )
