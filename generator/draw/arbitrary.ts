import type { Json } from '../../spec/index.ts'
import type { RandomSource } from '../domains/random-source.ts'
import { fc } from './fast-check.ts'
import { simpler } from './shrink.ts'

/** How to draw values, how to recognise them, and one to fall back on if drawing fails. */
type Recipe = {
  readonly draw: (source: RandomSource) => Json | undefined
  readonly accepts: (value: Json) => boolean
  readonly witness: Json
}

const mostAttempts = 25

// A class, because fast-check accepts new arbitraries in no other form. Its own `filter` may try forever; here the attempts
// are limited, and shrinking needs nothing but the value.
class JsonArbitrary extends fc.Arbitrary<Json> {
  readonly recipe: Recipe

  constructor(recipe: Recipe) {
    super()
    this.recipe = recipe
  }

  override generate(random: fc.Random): fc.Value<Json> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const value = this.recipe.draw(random)
      if (value !== undefined && this.recipe.accepts(value)) return new fc.Value(value, undefined)
    }
    return new fc.Value(this.recipe.witness, undefined)
  }

  override canShrinkWithoutContext(value: unknown): value is Json {
    return this.recipe.accepts(value as Json)
  }

  override shrink(value: Json): fc.Stream<fc.Value<Json>> {
    const { accepts } = this.recipe
    return fc.stream(simpler(value).filter(accepts)).map(smaller => new fc.Value(smaller, undefined))
  }
}

/** An arbitrary of a recipe's values. The recipe accepts every value that it draws or shrinks to. */
export const jsonArbitrary = (recipe: Recipe): fc.Arbitrary<Json> => new JsonArbitrary(recipe)
