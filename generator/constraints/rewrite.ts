import { ownProperty, type SchemaObject, stringsIn } from '../read/keywords.ts'
import type { Constraint, ConstraintFactory, Omission, PathSegment } from './constraint.ts'
import { negateKeyword } from './negate.ts'
import { type KeywordContext, kinds } from './normal-form.ts'
import {
  atLeast,
  type Branch,
  type Choice,
  constrainItem,
  constrainProperty,
  impossible,
  mustHold,
  onArray,
  onlyKinds,
  onObject,
  requireProperty,
} from './rewrite-steps.ts'
import { satisfyKeyword } from './satisfy.ts'

/** A constraint as choices, all of which have to be made. */
export const rewrite = (
  constraint: Constraint,
  context: Pick<KeywordContext, 'document' | 'constrain' | 'formats'>,
): readonly Choice[] => {
  if (constraint.kind === 'any-of') return [constraint.members.map(member => [mustHold(member)])]
  if (constraint.kind === 'at-path')
    return [[downPath(constraint.path, constraint.constraint, context.constrain)]]
  const { schema } = constraint
  if (typeof schema === 'boolean') return schema === (constraint.kind !== 'negate') ? [] : impossible
  const inside: KeywordContext = {
    ...context,
    scope: context.document.enter(schema, constraint.scope),
    omission: constraint.kind === 'satisfy-without' ? constraint.omission : null,
    origin: schema,
  }
  if (constraint.kind === 'break-keyword')
    return [negateKeyword(schema, constraint.keyword, constraint.detail, inside)]
  // A schema is a conjunction of keywords: one violated keyword negates it. The simplest way is to leave out a property.
  if (constraint.kind === 'negate') {
    const keywords = new Set([
      ...(Object.hasOwn(schema, 'required') ? ['required'] : []),
      ...Object.keys(schema),
    ])
    return [[...keywords].flatMap(keyword => negateKeyword(schema, keyword, null, inside))]
  }
  const kept = withoutOmitted(schema, inside.omission)
  return Object.keys(kept).flatMap(keyword => satisfyKeyword(kept, keyword, inside))
}

const withoutOmitted = (schema: SchemaObject, omission: Omission | null): SchemaObject => {
  if (omission === null || omission.path.length > 0) return schema
  const kept: Record<string, unknown> = { ...schema }
  for (const keyword of omission.keywords) {
    if (keyword === 'required' && omission.detail !== null)
      kept[keyword] = stringsIn(ownProperty(schema, keyword)).filter(name => name !== omission.detail)
    else delete kept[keyword]
  }
  return kept
}

const downPath = (
  path: readonly PathSegment[],
  constraint: Constraint,
  constrain: ConstraintFactory,
): Branch => {
  const [first, ...rest] = path
  if (first === undefined) return [mustHold(constraint)]
  const deeper = constrain.atPath(rest, constraint)
  if (first === 'item')
    return [
      onlyKinds(kinds.array),
      onArray(({ some }) => ({ some: [...some, { from: 0, constraint: deeper }] })),
      atLeast('array', 1),
    ]
  if (first === 'value' || 'pattern' in first)
    return [
      onlyKinds(kinds.object),
      onObject(({ some }) => ({
        some: [
          ...some,
          {
            others: first === 'value' ? { names: [], patterns: [] } : null,
            pattern: first === 'value' ? null : first.pattern,
            name: null,
            constraint: deeper,
          },
        ],
      })),
    ]
  if ('name' in first)
    return [onlyKinds(kinds.object), requireProperty(first.name), constrainProperty(first.name, deeper)]
  return [onlyKinds(kinds.array), atLeast('array', first.index + 1), constrainItem(first.index, deeper)]
}
