import { createRandomizer } from '../chance/randomizer.ts'

/** Makes a text by a method of faker, such as `person.fullName`; equal seeds give equal texts. Null: there is no faker. */
export type Fake = (method: string, seed: number) => string | null

let loading: Promise<Fake> | null = null

/** A generator of its own: that of Prism's samples is seeded for each of them. */
export const loadFake = (): Promise<Fake> => {
  loading ??= import('./prism-library.ts').then(
    ({ faker: shared }: Partial<typeof import('./prism-library.ts')>): Fake => {
      // A bundler for browsers puts an empty module in its place (`browser` in package.json).
      if (shared === undefined) return () => null
      const faker = new (shared.constructor as new (options: object) => NonNullable<typeof shared>)({
        locale: shared.rawDefinitions,
        randomizer: createRandomizer(),
      })
      return (method, seed) => {
        const [group = '', name = ''] = method.split('.')
        faker.seed(seed)
        const groups = faker as unknown as Readonly<Record<string, Readonly<Record<string, () => unknown>>>>
        return String(groups[group]?.[name]?.() ?? '')
      }
    },
    () => () => null,
  )
  return loading
}
