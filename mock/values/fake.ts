/** Makes a text by a method of faker, such as `person.fullName`; equal seeds give equal texts. Null: there is no faker. */
export type Fake = (method: string, seed: number) => string | null

let loading: Promise<Fake> | null = null

/** A generator of its own: that of Prism's samples is seeded for each of them. */
export const loadFake = (): Promise<Fake> => {
  loading ??= import('./prism-library.ts').then(
    ({ Faker, en, base }) => {
      const faker = new Faker({ locale: [en, base] })
      return (method, seed) => {
        const [group = '', name = ''] = method.split('.')
        faker.seed(seed)
        const groups = faker as unknown as Readonly<Record<string, Readonly<Record<string, () => unknown>>>>
        return String(groups[group]?.[name]?.() ?? '')
      }
      // Bundles for browsers have neither Prism nor faker in them.
    },
    () => () => null,
  )
  return loading
}
