import type { Sample } from './prism.ts'

/** Samples by a key, the oldest let go where all together grow beyond so many characters. */
export const createSampleStore = (mostCharacters: number) => {
  const kept = new Map<string, Promise<Sample>>()
  const sizes = new Map<string, number>()
  let size = 0
  const forget = (key: string): void => {
    kept.delete(key)
    size -= sizes.get(key) ?? 0
    sizes.delete(key)
  }
  return (key: string, make: () => Promise<Sample>): Promise<Sample> => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const made = make()
    kept.set(key, made)
    const weigh = async (): Promise<void> => {
      const own = (await made).size + key.length
      size += own
      sizes.set(key, own)
      for (const oldest of kept.keys()) {
        if (size <= mostCharacters) break
        forget(oldest)
      }
    }
    void weigh()
    return made
  }
}
