import type { Json } from '../../spec/index.ts'
import { fc } from '../random.ts'
import { simpler } from './shrink.ts'
import type { Source } from './source.ts'

/** How to make values, how to tell them, and one to fall back on where chance fails. */
type Recipe = {
  readonly draw: (source: Source) => Json | undefined
  readonly accepts: (value: Json) => boolean
  readonly witness: Json
}

const mostTries = 25

// A class because fast-check lets new kinds of arbitrary in by no other door. Its own `filter` would try for ever
// where nothing suits; here the tries are counted, and shrinking needs no more than the value.
class JsonArbitrary extends fc.Arbitrary<Json> {
  readonly recipe: Recipe

  constructor(recipe: Recipe) {
    super()
    this.recipe = recipe
  }

  override generate(random: fc.Random): fc.Value<Json> {
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
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

/** An arbitrary of the values of a recipe; every value and every smaller one is accepted by it. */
export const jsonArbitrary = (recipe: Recipe): fc.Arbitrary<Json> => new JsonArbitrary(recipe)
