import { InvalidArgumentError } from 'commander'
import { type Traits, withTraits } from './parse.ts'

/**
 * `name=value`, again and again; in a file also a list of these, or a map. `pair`: the pattern of one for the schema of the configuration;
 * `values`: the schema of the values of a map; `form`: what a flag has to match; `problem`: what is said if it does not.
 */
export const pairs = (
  pair: string,
  values: object,
  form: RegExp,
  problem: string,
): ((text: string, before: readonly string[] | undefined) => readonly string[]) & Traits => {
  const schema = { type: 'string', pattern: pair }
  return withTraits(
    {
      schema: {
        anyOf: [
          schema,
          { type: 'array', items: schema, minItems: 1 },
          { type: 'object', additionalProperties: values },
        ],
      },
      many: 'each',
      inline: true,
    },
    (text: string, before: readonly string[] | undefined): readonly string[] => {
      if (!form.test(text)) throw new InvalidArgumentError(problem)
      return [...(before ?? []), text]
    },
  )
}

/** `checkout-web=usage/checkout-web`; in a file also a map. */
export type UsedByFlag = readonly string[] | Readonly<Record<string, string>>

export const usedBy = pairs(
  '^[^=]+=.+$',
  { type: 'string', minLength: 1 },
  /^[^=]+=./s,
  'It must be the name of a client and a file or folder, such as checkout-web=usage/checkout-web.json.',
)

/** Paths by the names of clients, as they were written; of one client there may be several. */
export const usedByPaths = (values: UsedByFlag): readonly (readonly [name: string, path: string])[] =>
  Array.isArray(values)
    ? values.map((text: string) => {
        const at = text.indexOf('=')
        return [text.slice(0, at), text.slice(at + 1)]
      })
    : Object.entries(values)
