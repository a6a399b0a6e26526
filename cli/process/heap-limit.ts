import v8 from 'node:v8'

const limitMegabytes = 12
const checkMs = 50

/**
 * Keeps V8 from growing the young generation to 64 MB: with that, long runs take a third more memory and are not faster. Its size
 * can only be set when Node starts, but its growth can be stopped at any time.
 */
export const limitHeapGrowth = (): void => {
  const timer = setInterval(() => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    if ((young?.physical_space_size ?? 0) < limitMegabytes * 2 ** 20) return
    v8.setFlagsFromString('--semi-space-growth-factor=1')
    clearInterval(timer)
  }, checkMs)
  timer.unref()
}
