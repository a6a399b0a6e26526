import { statSync } from 'node:fs'
import v8 from 'node:v8'
import vm from 'node:vm'

const youngMegabytes = 12
const usedMegabytes = 80
const bufferMegabytes = 24
const checkMs = 50

/**
 * Keeps V8 from taking memory that it could free instead. It lets the young generation grow to 64 MB: with that, long runs take a third
 * more memory and are not faster. And it lets a heap double before it looks for what can be freed: with the hundreds of megabytes that
 * a large contract needs, that is as much again in garbage. Both are set when Node starts, but can be changed at any time.
 */
export const limitHeapGrowth = (): void => {
  const isYoungLarge = (): boolean => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    return (young?.physical_space_size ?? 0) >= youngMegabytes * 2 ** 20
  }
  const limits = [
    { flag: '--semi-space-growth-factor=1', isDue: isYoungLarge },
    {
      flag: '--heap-growing-percent=25',
      isDue: () => v8.getHeapStatistics().used_heap_size >= usedMegabytes * 2 ** 20,
    },
  ]
  const freeBuffers = createBufferCollector()
  const timer = setInterval(() => {
    for (const limit of limits.filter(({ isDue }) => isDue())) {
      v8.setFlagsFromString(limit.flag)
      limits.splice(limits.indexOf(limit), 1)
    }
    freeBuffers()
  }, checkMs)
  timer.unref()
}

/**
 * Collects garbage when buffers have grown. V8 collects when its own heap grows, and the buffers of large bodies are outside of it: those
 * that nobody uses any more would fill the memory. A large heap is left to V8, as a collection there takes longer than it is worth.
 */
const createBufferCollector = (): (() => void) => {
  let least = Number.POSITIVE_INFINITY
  let collect: (() => void) | null = null
  return () => {
    const { external_memory: size, used_heap_size: heap } = v8.getHeapStatistics()
    least = Math.min(least, size)
    if (size - least < Math.max(bufferMegabytes * 2 ** 20, heap / 2)) return
    collect ??= exposedCollector()
    collect()
    least = v8.getHeapStatistics().external_memory
  }
}

// Only contexts that are made after the flag is set have `gc`.
const exposedCollector = (): (() => void) => {
  v8.setFlagsFromString('--expose-gc')
  return vm.runInNewContext('gc')
}

const largeBytes = 2 ** 20
const collectAfterMs = 250

/**
 * Keeps the young generation as small as it is while large documents are read, as most of what that allocates is soon garbage; small ones
 * are read faster without. The function that is returned ends that: it lets the young generation grow, and soon after collects what reading
 * has left. V8 would wait until the heap is three times as large as what is in use. Names that are no files count as small documents.
 */
export const holdYoungGeneration = (documents: readonly string[]): (() => void) => {
  if (!documents.some(name => sizeOf(name) >= largeBytes)) return () => {}
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  return () => {
    v8.setFlagsFromString('--semi-space-growth-factor=2')
    // Not at once: a request may be waiting for its response.
    setTimeout(exposedCollector(), collectAfterMs).unref()
  }
}

const sizeOf = (name: string): number => {
  try {
    return statSync(name).size
  } catch {
    return 0
  }
}
