/** The limit of a server that takes so many requests a second and some at once. */

/** Whether a request comes faster than this; to be asked once for each request. */
export const fasterThan = (perSecond: number, burst: number): (() => boolean) => {
  let next = 0
  return () => {
    const now = performance.now()
    const at = Math.max(next, now)
    if (at - now > (burst * 1000) / perSecond) return true
    next = at + 1000 / perSecond
    return false
  }
}
