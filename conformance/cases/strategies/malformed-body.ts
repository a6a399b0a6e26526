import { isObject, type Json, malformedKinds } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { withAllOptional, withRandomBody } from './edit-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Bodies that cannot be read in their format, in each variant of one kind. */
export const malformedStrategy = (context: StrategyContext, name: string, plain: PlainSpec): Strategy => {
  const isJson = context.model.body?.in === 'body'
  const size = isJson ? variantsOf(name) : 2
  const { model } = context
  // An object without members has no comma that could be missing.
  const withMembers = (spec: RequestSpec, number: number): RequestSpec => {
    if (!isEmpty(spec.body)) return spec
    const whole = withAllOptional(model, spec, number)
    const body = isEmpty(whole.body) ? { a: 'a' } : whole.body
    return body !== undefined && model.isValidBody(body) ? { ...whole, body } : spec
  }
  const make: Strategy['make'] = (index, number) => ({
    ...(index < size ? withMembers(plain(number), number) : withRandomBody(context, plain(number), number)),
    encoding: { kind: 'malformed', name, pick: index },
  })
  return { ...finiteStrategy(size, make), weight: 1 }
}

const isEmpty = (body: Json | undefined): boolean => isObject(body) && Object.keys(body).length === 0

/** A text can be cut off at any byte; other kinds have a few variants. */
const variantsOf = (name: string): number => {
  if (name === 'truncated') return Number.POSITIVE_INFINITY
  const kind = malformedKinds.find(candidate => candidate.name === name)
  const texts = Array.from({ length: 8 }, (_, pick) =>
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
