import { type Json, malformedKinds, parseJson, writeJson } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { withAllOptional } from '../with-optional.ts'
import { bodyToward, withRandomBody } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Bodies that cannot be read in their format, in each variant of one kind. */
export const malformedStrategy = (context: StrategyContext, name: string, plain: PlainSpec): Strategy => {
  const isJson = context.model.body?.in === 'body'
  const size = isJson ? variantsOf(name) : 2
  const kind = isJson ? malformedKinds.find(candidate => candidate.name === name) : undefined
  const make: Strategy['make'] = (index, number) => {
    const spec = plain(number)
    const isRandom = index >= size
    return {
      ...(kind === undefined || isRandom
        ? isRandom
          ? withRandomBody(context, spec, number)
          : spec
        : showing(context, kind, spec, index, number)),
      encoding: { kind: 'malformed', name, pick: index },
    }
  }
  return { ...finiteStrategy(size, make), weight: 1 }
}

/** The request with the plainest body that shows the fault: an object without members has no comma that could be missing. */
const showing = (
  context: StrategyContext,
  kind: (typeof malformedKinds)[number],
  spec: RequestSpec,
  index: number,
  number: number,
): RequestSpec => {
  const { model } = context
  const isShown = ({ body }: RequestSpec): boolean => {
    const text = writeJson(body ?? {})
    const less = kind.less?.(text, index)
    return kind.is(kind.make(text, index)) && (less === undefined || !model.isValidBody(parseJson(less)))
  }
  if (isShown(spec)) return spec
  const plainer = [
    withAllOptional(model, spec, number),
    ...withMember(context, spec, number).map(body => ({ ...spec, body })),
  ].filter(({ body }) => body !== undefined && model.isValidBody(body))
  const random = Array.from({ length: mostBackgrounds }, (_, at) => () => ({
    ...spec,
    body: context.values.body(at) ?? spec.body,
  }))
  return plainer.find(isShown) ?? random.map(make => make()).find(isShown) ?? spec
}

/** So many random bodies are tried. */
const mostBackgrounds = 16

/** Bodies with an item, or with a property that is not declared. */
const withMember = (context: StrategyContext, spec: RequestSpec, number: number): readonly Json[] => {
  const item = context.model.body?.root.children.find(({ pattern }) => pattern.endsWith('/*'))
  return [
    { a: 'a' },
    ...(item === undefined
      ? []
      : [item.pattern, ...item.children.map(child => child.pattern)].map(place =>
          bodyToward(context, spec, place, number),
        )),
  ]
}

/** No kind has more variants than so many. */
const mostVariants = 64

/** A text can be cut off at any byte; other kinds have a few variants. */
const variantsOf = (name: string): number => {
  if (name === 'truncated') return Number.POSITIVE_INFINITY
  const kind = malformedKinds.find(candidate => candidate.name === name)
  const texts = Array.from({ length: mostVariants }, (_, pick) =>
    Buffer.from(kind?.make('{"a":"b","c":1}', pick) ?? []).toString('latin1'),
  )
  return Math.max(2, new Set(texts).size)
}

/** Requests without a body, with an empty one, or with an empty object for a body. */
export const noBodyStrategy = (name: 'absent' | 'empty' | 'empty-object', plain: PlainSpec): Strategy =>
  finiteStrategy(2, (_index, number) => withoutBody(plain(number), name))

const withoutBody = (spec: RequestSpec, name: 'absent' | 'empty' | 'empty-object'): RequestSpec => {
  switch (name) {
    case 'absent':
      return { ...spec, body: undefined, encoding: { kind: 'absent' }, contentType: null }
    case 'empty':
      return { ...spec, body: undefined, encoding: { kind: 'empty' } }
    case 'empty-object':
      return { ...spec, body: {}, renewable: false }
  }
}
