import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, parentOf, step, steps, valueAt } from '../../json/pointer.ts'
import { type KeywordUse, placesOf, type SchemaPlace } from '../../schema/locations.ts'
import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import type { Shows } from '../shows.ts'
import type { Subject } from '../subject.ts'
import { locationText, type ValueLocation } from '../value-location.ts'
import { acceptRequirement } from './requirement.ts'

/** `suffix` completes the location: «`tags` with several items». */
type Branch = Pick<Extract<Subject, { kind: 'branch' }>, 'keyword' | 'branch' | 'schema'> & {
  readonly suffix: string
}

/** A valid value may take every alternative that a schema offers. */
export const branchObligations = (
  { contract }: Pick<OperationContext, 'contract'>,
  place: SchemaPlace,
  location: ValueLocation,
  shows: Shows,
): readonly ObligationSpec[] =>
  [
    ...place.keywords
      .flatMap(use => branchesOf(contract.requests.document, use, place))
      .filter(
        ({ keyword, schema }) =>
          keyword === 'if' || shows.place(placesOf(contract.requests.document, schema)),
      ),
    ...(place.types?.includes('array') && shows.lists ? listLengths(place, shows) : []),
  ].map(({ suffix, keyword, branch, schema }): ObligationSpec => {
    const input = `${locationText(location)} ${suffix}`
    return {
      family: 'accept',
      level: 'MUST',
      input,
      requirement: acceptRequirement(input),
      pointer: schema,
      subject: { kind: 'branch', location, keyword, branch, schema },
    }
  })

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
            const suffix = `in the form of ${alternativeName(document, schema, index)}`
            return { keyword, branch: String(index), schema, suffix }
          })
        : []
    case 'if': {
      const has = (name: string): boolean =>
        place.keywords.some(use => use.keyword === name && parentOf(use.pointer) === parentOf(pointer))
      return has('then') || has('else')
        ? [
            { keyword, branch: 'then', schema: pointer, suffix: 'with the `if` condition met' },
            { keyword, branch: 'else', schema: pointer, suffix: 'with the `if` condition not met' },
          ]
        : []
    }
    case 'dependentSchemas':
      return Object.keys(asNode(value)).map(name => ({
        keyword,
        branch: name,
        schema: step(pointer, name),
        suffix: `with \`${name}\` and what it requires`,
      }))
    default:
      return []
  }
}

const mostItems = 1000

/** Lists of the least, several and the most items: queries and forms write more than one item in another way. */
const listLengths = ({ keywords, schemas }: SchemaPlace, shows: Shows): readonly Branch[] => {
  const limit = (name: string) => keywords.find(({ keyword }) => keyword === name)
  const [fewest, most] = [limit('minItems'), limit('maxItems')]
  // Then the list needs the items that it has to contain, which no limit says alone.
  const hasContained = limit('contains') !== undefined && Number(limit('minContains')?.value ?? 1) > 0
  const [least, greatest] = [Number(fewest?.value ?? 0), Number(most?.value ?? Number.POSITIVE_INFINITY)]
  const list = (branch: string, suffix: string, schema = schemas[0] ?? ''): Branch => ({
    keyword: 'items',
    branch,
    schema,
    suffix,
  })
  return [
    // A query or a form cannot carry a list without items.
    ...((least > 0 || shows.empty) && !hasContained ? [list('least', items(least), fewest?.pointer)] : []),
    ...(Math.max(2, least + 1) < greatest ? [list('several', 'with several items')] : []),
    ...(greatest <= mostItems && (greatest > 0 || shows.empty)
      ? [list('most', items(greatest), most?.pointer)]
      : []),
  ]
}

const items = (count: number): string =>
  count === 0 ? 'without items' : `with ${count} item${count === 1 ? '' : 's'}`

/** What people call an alternative: its title, the name of the schema that it refers to, or its number. */
const alternativeName = (
  document: Readonly<Record<string, unknown>>,
  schema: Pointer,
  index: number,
): string => {
  const { title, $ref, allOf } = asNode(valueAt(document, schema))
  // Beside a discriminator the reference is the first part of the alternative.
  const reference = $ref ?? (Array.isArray(allOf) ? asNode(allOf[0]).$ref : undefined)
  const referred = typeof reference === 'string' ? steps(reference.slice(1)).at(-1) : undefined
  return `alternative ${typeof title === 'string' ? title : (referred ?? index + 1)}`
}
