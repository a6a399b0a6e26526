import type { Constraint } from '../constraints/constraint.ts'
import type { ObjectForm, OtherNames, SomeProperty } from '../constraints/normal-form.ts'
import { type RandomSource, seededRandomSource, shuffled } from '../domains/language.ts'
import { regExpOf } from '../read/regexp.ts'
import type { ValueGraph } from './value-plan.ts'

/** Which names an object can have, and which constraints apply to the value of each. */
export type PropertyNames = {
  /** `relaxed`: the property carries a violation (see `ItemRule`). */
  readonly constraintsOf: (name: string, relaxed: boolean) => readonly Constraint[]
  readonly allows: (name: string) => boolean
  /** True if undeclared names are never allowed. */
  readonly closed: boolean
  /** True if the schema itself mentions undeclared names. */
  readonly mentionsOthers: boolean
  /** A suitable undeclared name, or a suitable name for `property`; null if none was found. */
  readonly find: (
    source: RandomSource | null,
    property: SomeProperty | null,
    isSuitable: (name: string) => boolean,
  ) => string | null
}

const plainNames = [
  ...['note', 'extra', 'color', 'x', 'y', 'z', 'size', 'zone'],
  ...['w1', 'w2', 'w3', 'w4', 'w5', 'w6'],
]

export const createPropertyNames = (form: ObjectForm, graph: ValueGraph): PropertyNames => {
  const { properties, patterns, rules, names, forbidden } = form
  const { constrain } = graph

  const constraintsOf = (name: string, relaxed: boolean): readonly Constraint[] => [
    ...(properties.get(name) ?? []),
    ...patterns
      .filter(({ pattern }) => regExpOf(pattern).test(name))
      .map(rule => (relaxed ? rule.relaxed : rule.constraint)),
    ...rules
      .filter(({ others }) => isOther(others, name))
      .map(rule => (relaxed ? rule.relaxed : rule.constraint)),
  ]
  const allows = (name: string): boolean => names.length === 0 || graph.satisfies(names, name)

  /** Allowed names that satisfy a schema, drawn one after the other. */
  const namesLike = (schema: object, source: RandomSource): readonly string[] => {
    const node = graph.nodeFor([...names, constrain.inline({ type: 'string', ...schema })])
    if (!node.fitsIn(0)) return []
    const drawn = [...node.boundaries(1), ...Array.from({ length: 12 }, () => node.draw(source, 0))]
    return drawn.filter(name => typeof name === 'string')
  }
  const taken = [...new Set([...properties.keys(), ...forbidden])]
  const notTaken = taken.length === 0 ? {} : { not: { enum: taken } }

  /** Names that satisfy the constraint. It usually contradicts `names`, which the evaluation of the object checks. */
  function* namesSatisfying(constraint: Constraint, plain: readonly string[], source: RandomSource) {
    const node = graph.nodeFor([constraint, constrain.inline({ type: 'string' })])
    for (const name of [...properties.keys(), ...plain, ...node.boundaries(1)])
      if (graph.satisfies([constraint], String(name))) yield String(name)
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const name = node.fitsIn(0) ? node.draw(source, 0) : undefined
      if (typeof name === 'string') yield name
    }
  }

  function* candidates(property: SomeProperty | null, source: RandomSource | null): Generator<string> {
    const random = source ?? seededRandomSource(1)
    const plain = source === null ? plainNames : shuffled(source, plainNames)
    if (property !== null && property.name !== null) {
      yield* namesSatisfying(property.name, plain, random)
      return
    }
    if (property !== null && property.pattern !== null) {
      const { pattern } = property
      yield* [...properties.keys()].filter(name => regExpOf(pattern).test(name))
      yield* namesLike({ pattern, ...notTaken }, random)
      return
    }
    if (property !== null || patterns.length === 0 || rules.length > 0) yield* plain
    for (const { pattern } of patterns) yield* namesLike({ pattern, ...notTaken }, random)
    if (property !== null || patterns.length === 0) yield* plain
    const mentioned = [
      ...new Set([
        ...rules.flatMap(rule => rule.others.patterns),
        ...(property?.others?.patterns ?? []),
        ...patterns.map(rule => rule.pattern),
      ]),
    ]
    yield* namesLike(
      { not: { anyOf: [...mentioned.map(pattern => ({ pattern })), { enum: taken }] } },
      random,
    )
    yield* plain
    // Names that one closed schema declares and another does not may be the only ones left.
    yield* rules.flatMap(rule => rule.others.names)
    for (const pattern of mentioned) yield* namesLike({ pattern, ...notTaken }, random)
    if (property !== null) yield* properties.keys()
    for (let index = 0; index < 600; index += 1) yield `p${index}`
  }

  const find: PropertyNames['find'] = (source, property, isSuitable) => {
    let tries = 0
    for (const name of candidates(property, source)) {
      tries += 1
      if (tries > 900) return null
      if (forbidden.has(name) || (properties.has(name) && property === null)) continue
      if (property?.name == null && !allows(name)) continue
      if (property?.others != null && !isOther(property.others, name)) continue
      if (isSuitable(name)) return name
    }
    return null
  }

  const closed =
    patterns.length === 0 &&
    rules.some(({ constraint }) => constraint.kind === 'satisfy' && constraint.schema === false)
  return {
    constraintsOf,
    allows,
    closed,
    mentionsOthers: patterns.length > 0 || rules.length > 0,
    find,
  }
}

const isOther = ({ names, patterns }: OtherNames, name: string): boolean =>
  !names.includes(name) && !patterns.some(pattern => regExpOf(pattern).test(name))
