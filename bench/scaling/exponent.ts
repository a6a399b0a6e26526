/** What was measured for an amount of work. */
export type Point = { readonly amount: number; readonly cost: number }

/**
 * How a cost grows as work grows: 1 is in proportion, 2 with its square. What has to be paid for any amount (starting, loading) hides
 * this, so that of the smallest amount is taken off; amounts that cost hardly more than it are left out. The slope of a line through the rest on
 * logarithmic axes, by least squares; NaN if fewer than two are left.
 */
export const exponentOf = (points: readonly Point[]): number => {
  const inOrder = points.toSorted((one, other) => one.amount - other.amount)
  const fixed = inOrder[0]?.cost ?? 0
  const grown = inOrder
    .filter(({ cost }) => cost > 1.5 * fixed)
    .map(({ amount, cost }) => ({ x: Math.log(amount), y: Math.log(cost - fixed) }))
  const mean = (pick: (point: { readonly x: number; readonly y: number }) => number): number =>
    grown.reduce((sum, point) => sum + pick(point), 0) / grown.length
  const [x, y] = [mean(point => point.x), mean(point => point.y)]
  const covariance = grown.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const variance = grown.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return grown.length < 2 ? Number.NaN : covariance / variance
}
