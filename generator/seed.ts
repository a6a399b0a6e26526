/** A 32-bit seed derived from the seed of the run and some words, so that each part of a run has a seed to itself. */
export const deriveSeed = (seed: number, ...words: readonly (string | number)[]): number => {
  // FNV-1a, with a final mix so that similar words give unrelated seeds.
  let hash = 0x811c9dc5 ^ seed
  for (const char of words.join('\u0000')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
