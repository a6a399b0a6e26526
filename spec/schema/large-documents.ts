/** Of the schemas of a large document each judges few values: optimizing the code for them costs more than it gains. */
export const isLarge = (document: object): boolean => {
  const { paths, components } = document as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const count = (node: unknown): number =>
    typeof node === 'object' && node !== null ? Object.keys(node).length : 0
  return count(paths) + count(components?.schemas) > largeFrom
}

const largeFrom = 100

/** Whether some schema depends on what those behind its `$ref`s have seen, so that these have to be compiled with it. */
export const looksBehindReferences = (node: unknown): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (Array.isArray(node)
    ? node.some(looksBehindReferences)
    : Object.entries(node).some(([key, value]) => lookingBehind.has(key) || looksBehindReferences(value)))

const lookingBehind = new Set(['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef'])

/** Whether lists are nested in lists more than `most` deep, with objects between them or not. */
export const nestsLists = (node: unknown, most: number): boolean =>
  typeof node === 'object' &&
  node !== null &&
  (Array.isArray(node)
    ? most === 0 || node.some(item => nestsLists(item, most - 1))
    : Object.values(node).some(value => nestsLists(value, most)))
