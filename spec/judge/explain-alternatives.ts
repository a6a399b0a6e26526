import type { Json } from '../json/json.ts'
import { step, steps } from '../json/pointer.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import type { SchemaViolation } from '../schema/schema-violation.ts'
import type { SchemaSet } from '../schema/validator.ts'

/**
 * What is wrong with a value that fits no alternative of `oneOf` or `anyOf`, if its type or one of its properties selects one of
 * them: what it breaks of that alternative, or that the property has none of the selecting values. Places are those of the whole
 * value. Null: nothing selects one.
 */
export const explainAlternatives = (
  schemas: SchemaSet,
  place: SchemaPlace,
  { at, keyword, constraint, detail }: SchemaViolation,
  value: Json | undefined,
): readonly SchemaViolation[] | null => {
  if (!/^(?:oneOf|anyOf)$/.test(keyword) || detail !== '' || !Array.isArray(constraint)) return null
  // An alternative may have alternatives of its own: what is broken there is no keyword of the place.
  const use = place.keywords.find(each => each.keyword === keyword && each.value === constraint)
  if (use === undefined || value === undefined) return null
  const all = constraint.map((_, index) => schemas.validator(step(use.pointer, index))(value))
  const causes = causesIn(all.filter(violations => !violations.some(isWrongType)))
  return causes?.map(each => ({ ...each, at: `${at}${each.at}` })) ?? null
}

const isWrongType = ({ at, keyword }: SchemaViolation): boolean => at === '' && keyword === 'type'

const causesIn = (all: readonly Violations[]): Violations | null => {
  const [first, second] = all
  if (second === undefined) return first ?? null
  const property = selectorIn(all)
  if (property === null) return null
  const [only, other] = all.filter(violations => !violations.some(each => isAbout(each, property)))
  if (only === undefined) return unselected(all, property)
  return other === undefined ? only : null
}

type Violations = readonly SchemaViolation[]

/** Whether a value breaks the part of an alternative that says for which values of a property it is. */
const isAbout = ({ at, keyword }: SchemaViolation, property: string): boolean =>
  at === step('', property) && ['const', 'enum', 'required'].includes(keyword)

/** The property by which all alternatives but one at most are ruled out. */
const selectorIn = (all: readonly Violations[]): string | null => {
  const named = all.flatMap(violations =>
    violations.filter(
      ({ at, keyword }) => steps(at).length === 1 && /^(?:const|enum|required)$/.test(keyword),
    ),
  )
  const names = [...new Set(named.map(({ at }) => steps(at)[0] ?? ''))]
  const isSelector = (name: string): boolean =>
    named.some(each => each.keyword !== 'required' && isAbout(each, name)) || all.every(isMissing(name))
  const rulesOut = (name: string): number =>
    all.filter(violations => violations.some(each => isAbout(each, name))).length
  return names.find(name => isSelector(name) && rulesOut(name) >= all.length - 1) ?? null
}

const isMissing =
  (name: string) =>
  (violations: Violations): boolean =>
    violations.some(({ at, keyword }) => keyword === 'required' && at === step('', name))

/** A value that selects no alternative, with the values of all of them. */
const unselected = (all: readonly Violations[], property: string): Violations => {
  const about = all.flatMap(violations => violations.filter(each => isAbout(each, property)))
  const missing = about.find(({ keyword }) => keyword === 'required')
  if (missing !== undefined) return [missing]
  const values = [...new Set(about.flatMap(({ constraint }) => constraint))]
  return about.slice(0, 1).map(first => ({ ...first, keyword: 'enum', constraint: values }))
}

/**
 * What a value breaks of `then` or `else`, which says more than `if`: a discriminator at a base is read as one, and no document has it.
 * `others`: what is told already. Null: the violation is no `if`; empty: what it breaks is among the others.
 */
export const explainIf = (
  violation: SchemaViolation,
  all: readonly SchemaViolation[],
  others: readonly SchemaViolation[],
): readonly SchemaViolation[] | null => {
  if (violation.keyword !== 'if') return null
  const inside = all.filter(
    each => each.keyword !== 'if' && (each.at === violation.at || each.at.startsWith(`${violation.at}/`)),
  )
  if (inside.length === 0) return null
  return inside.filter(each => !others.some(other => other.at === each.at && other.keyword === each.keyword))
}
