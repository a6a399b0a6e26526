/** What is used of Prism. */
export type Prism = typeof import('./prism-library.ts')

/**
 * Prism, loaded when it is first needed: that takes half a second and 130 MB. Null if a bundler for browsers has left it out (`browser` in
 * package.json).
 */
export const loadPrism = async (): Promise<Prism | null> => {
  const library: Partial<Prism> = await import('./prism-library.ts')
  const { createInstance, faker, getHttpOperationsFromSpec } = library
  return createInstance === undefined || faker === undefined || getHttpOperationsFromSpec === undefined
    ? null
    : { createInstance, faker, getHttpOperationsFromSpec }
}
