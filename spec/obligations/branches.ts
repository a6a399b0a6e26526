import { asNode } from '../node.ts'
import type { KeywordUse, SchemaPlace } from '../places.ts'
import { type Pointer, step, steps, valueAt } from '../pointer.ts'
import type { Subject, Where } from '../subject.ts'
import { type Context, type Draft, whereName, wherePath } from './context.ts'

type Branch = Pick<Extract<Subject, { kind: 'branch' }>, 'keyword' | 'branch' | 'schema'> & {
  readonly about: string
}

/** Each alternative that a schema gives is one that a valid value may take. */
export const branchObligations = (
  { contract }: Context,
  place: SchemaPlace,
  where: Where,
): readonly Draft[] =>
  [
    ...place.keywords.flatMap(use => branchesOf(contract.document, use, place)),
    ...(place.types?.includes('array') ? listsOf(place, where) : []),
  ].map(
    ({ about, keyword, branch, schema }): Draft => ({
      path: `${wherePath(where)}/${keyword}/${branch}`,
      family: 'accept',
      level: 'MUST',
      promise: `${whereName(where)} ${about} is accepted`,
      pointer: schema,
      subject: { kind: 'branch', where, keyword, branch, schema },
    }),
  )

const branchesOf = (
  document: Readonly<Record<string, unknown>>,
  { keyword, value, pointer }: KeywordUse,
  place: SchemaPlace,
): readonly Branch[] => {
  switch (keyword) {
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value)
        ? value.map((_, index) => {
            const schema = step(pointer, index)
            const branch = String(index)
            return { keyword, branch, schema, about: `as ${nameOf(document, schema, index)}` }
          })
        : []
    case 'if': {
      const asks = (name: string): boolean =>
        place.keywords.some(use => use.keyword === name && beside(use.pointer) === beside(pointer))
      return asks('then') || asks('else')
        ? [
            { keyword, branch: 'then', schema: pointer, about: 'where the condition holds' },
            { keyword, branch: 'else', schema: pointer, about: 'where the condition does not hold' },
          ]
        : []
    }
    case 'dependentSchemas':
      return Object.keys(asNode(value)).map(name => ({
        keyword,
        branch: name,
        schema: step(pointer, name),
        about: `with \`${name}\` and what that asks for`,
      }))
    default:
      return []
  }
}

const mostItems = 1000

/** Lists at the edges of their length, and with more than one item: as they are written otherwise in a query or a form. */
const listsOf = ({ keywords, schemas }: SchemaPlace, where: Where): readonly Branch[] => {
  const limit = (name: string) => keywords.find(({ keyword }) => keyword === name)
  const [fewest, most] = [limit('minItems'), limit('maxItems')]
  const [least, greatest] = [Number(fewest?.value ?? 0), Number(most?.value ?? Number.POSITIVE_INFINITY)]
  const schema = schemas[0] ?? ''
  const list = (branch: string, about: string, at = schema): Branch => ({
    keyword: 'items',
    branch,
    schema: at,
    about,
  })
  return [
    // A list without items is not there in a query.
    ...(least > 0 || where.in === 'body' ? [list('least', `with ${least} items`, fewest?.pointer)] : []),
    ...(Math.max(2, least + 1) < greatest ? [list('several', 'with several items')] : []),
    ...(greatest <= mostItems ? [list('most', `with ${greatest} items`, most?.pointer)] : []),
  ].map(branch => ({ ...branch, about: branch.about.replace(/ 1 items$/, ' 1 item') }))
}

const beside = (pointer: Pointer): Pointer => pointer.slice(0, pointer.lastIndexOf('/'))

/** What people call an alternative: its title, the name that it refers to, or its number. */
const nameOf = (document: Readonly<Record<string, unknown>>, schema: Pointer, index: number): string => {
  const { title, $ref } = asNode(valueAt(document, schema))
  const referred = typeof $ref === 'string' ? steps($ref.slice(1)).at(-1) : undefined
  return `its alternative ${typeof title === 'string' ? title : (referred ?? index + 1)}`
}
