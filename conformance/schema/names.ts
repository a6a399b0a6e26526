import type { Demand } from './demand.ts'
import { expression } from './expression.ts'
import type { ObjectFacts, Others, SomeProperty } from './facts.ts'
import type { Nodes } from './node.ts'
import { type Source, seededSource, shuffled } from './source.ts'

/** Which names an object can have, and what is said of the value of each. */
export type Names = {
  readonly demandsOf: (name: string, odd: boolean) => readonly Demand[]
  readonly allows: (name: string) => boolean
  /** True where undeclared names are never welcome. */
  readonly closed: boolean
  /** True where the schema itself speaks of undeclared names. */
  readonly invited: boolean
  /** An undeclared name, as `wanted` says where it says something, that suits; null where none was found. */
  readonly find: (
    source: Source | null,
    wanted: SomeProperty | null,
    suits: (name: string) => boolean,
  ) => string | null
}

const plain = ['note', 'extra', 'color', 'x', 'y', 'z', 'size', 'zone', 'w1', 'w2', 'w3', 'w4', 'w5', 'w6']

export const createNames = (facts: ObjectFacts, nodes: Nodes): Names => {
  const { known, patterns, rules, names, absent } = facts

  const demandsOf = (name: string, odd: boolean): readonly Demand[] => [
    ...(known.get(name) ?? []),
    ...patterns
      .filter(({ pattern }) => expression(pattern).test(name))
      .map(rule => (odd ? rule.odd : rule.demand)),
    ...rules.filter(({ others }) => isOther(others, name)).map(rule => (odd ? rule.odd : rule.demand)),
  ]
  const allows = (name: string): boolean => names.length === 0 || nodes.meets(names, name)

  /** Names that meet a schema, made one after the other. */
  const made = (schema: object, extra: readonly Demand[], source: Source): readonly string[] => {
    const node = nodes.node([...names, ...extra, nodes.demands.plain({ type: 'string', ...schema })])
    if (!node.reaches(0)) return []
    const drawn = [...node.edges(1), ...Array.from({ length: 12 }, () => node.draw(source, 0))]
    return drawn.filter(name => typeof name === 'string')
  }
  const taken = [...new Set([...known.keys(), ...absent])]
  const notTaken = taken.length === 0 ? {} : { not: { enum: taken } }

  function* candidates(wanted: SomeProperty | null, source: Source | null): Generator<string> {
    const chance = source ?? seededSource(1)
    const few = source === null ? plain : shuffled(source, plain)
    const patterned = wanted?.pattern
    if (wanted?.name !== null && wanted?.name !== undefined) {
      const node = nodes.node([wanted.name, nodes.demands.plain({ type: 'string' })])
      // Such a name breaks what is said of names: the other demands of names are judged with the object.
      for (const name of [...known.keys(), ...few, ...node.edges(1)])
        if (nodes.meets([wanted.name], String(name))) yield String(name)
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const name = node.reaches(0) ? node.draw(chance, 0) : undefined
        if (typeof name === 'string') yield name
      }
      return
    }
    if (patterned !== null && patterned !== undefined) {
      yield* [...known.keys()].filter(name => expression(patterned).test(name))
      yield* made({ pattern: patterned, ...notTaken }, [], chance)
      return
    }
    if (wanted !== null || patterns.length === 0 || rules.length > 0) yield* few
    for (const { pattern } of patterns) yield* made({ pattern, ...notTaken }, [], chance)
    if (wanted !== null || patterns.length === 0) yield* few
    const shut = [
      ...new Set([
        ...rules.flatMap(rule => rule.others.patterns),
        ...(wanted?.others?.patterns ?? []),
        ...patterns.map(rule => rule.pattern),
      ]),
    ]
    yield* made({ not: { anyOf: [...shut.map(pattern => ({ pattern })), { enum: taken }] } }, [], chance)
    yield* few
    // Names that one closed part of the schema lists and another does not may be all there are.
    yield* rules.flatMap(rule => rule.others.names)
    for (const pattern of shut) yield* made({ pattern, ...notTaken }, [], chance)
    if (wanted !== null) yield* known.keys()
    for (let index = 0; index < 600; index += 1) yield `p${index}`
  }

  const find: Names['find'] = (source, wanted, suits) => {
    let tries = 0
    for (const name of candidates(wanted, source)) {
      tries += 1
      if (tries > 900) return null
      if (absent.has(name) || (known.has(name) && wanted === null)) continue
      if (wanted?.name == null && !allows(name)) continue
      if (wanted?.others != null && !isOther(wanted.others, name)) continue
      if (suits(name)) return name
    }
    return null
  }

  const closed =
    patterns.length === 0 && rules.some(({ demand }) => demand.kind === 'meet' && demand.schema === false)
  return { demandsOf, allows, closed, invited: patterns.length > 0 || rules.length > 0, find }
}

const isOther = ({ names, patterns }: Others, name: string): boolean =>
  !names.includes(name) && !patterns.some(pattern => expression(pattern).test(name))
