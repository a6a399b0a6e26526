import type { Point } from './exponent.ts'

export type Curve = { readonly name: string; readonly unit: string; readonly points: readonly Point[] }

const [width, height] = [360, 220]
const margin = { left: 64, right: 16, top: 28, bottom: 36 }
const colours = ['#1f6f43', '#b4551d'] as const

/**
 * Curves of the same amounts on logarithmic axes, as a panel of an SVG. Each begins at its smallest cost, as their units differ, and all
 * axes have the same scale: what grows in proportion is parallel to the dashed line, and what does not grow is level.
 */
const panel = (title: string, work: string, curves: readonly Curve[], left: number, top: number): string => {
  const amounts = curves.flatMap(({ points }) => points.map(({ amount }) => amount))
  const span = Math.max(...[amounts, ...curves.map(costsOf)].map(spanOf))
  const [bottom, right] = [height - margin.bottom, width - margin.right]
  const x = scale(amounts, spanOf(amounts), margin.left, right)
  const y = (costs: readonly number[]) => scale(costs, span, bottom, margin.top + 18)
  const proportion = y(amounts)(Math.max(...amounts)).toFixed(1)
  const lines = curves.map((curve, index) => {
    const { name, unit, points } = curve
    const costs = costsOf(curve)
    const at = points.map(({ amount, cost }) => `${x(amount).toFixed(1)},${y(costs)(cost).toFixed(1)}`)
    const colour = colours[index] ?? colours[0]
    const ends = [Math.min(...costs), Math.max(...costs)].map(
      cost => `${cost < 100 ? cost.toPrecision(2) : Math.round(cost).toLocaleString('en-US')} ${unit}`,
    )
    return [
      `<polyline points="${at.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...at.map(point => {
        const [cx, cy] = point.split(',')
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`
      }),
      `<text x="${margin.left}" y="${margin.top + 14 * index - 2}" fill="${colour}">${name}: ${ends.join(' to ')}</text>`,
    ].join('')
  })
  const ticks = [...new Set([Math.min(...amounts), Math.max(...amounts)])].map(
    amount =>
      `<text x="${x(amount).toFixed(1)}" y="${height - margin.bottom + 14}" text-anchor="middle">${amount.toLocaleString('en-US')}</text>`,
  )
  return [
    `<g transform="translate(${left} ${top})">`,
    `<rect x="${margin.left - 8}" y="${margin.top + 18}" width="${width - margin.left - margin.right + 16}" height="${height - margin.top - margin.bottom - 12}" fill="none" stroke="#c9d3cc"/>`,
    `<text x="8" y="14" font-weight="bold">${title}</text>`,
    `<line x1="${margin.left}" y1="${bottom}" x2="${right}" y2="${proportion}" stroke="#9aa8a0" stroke-dasharray="4 4"/>`,
    ...lines,
    ...ticks,
    `<text x="${(margin.left + width) / 2}" y="${height - 6}" text-anchor="middle">${work}</text>`,
    '</g>',
  ].join('')
}

const costsOf = ({ points }: Curve): readonly number[] => points.map(({ cost }) => cost)

/** The logarithm of the largest value divided by the smallest. */
const spanOf = (values: readonly number[]): number => Math.log(Math.max(...values) / Math.min(...values))

const scale = (
  values: readonly number[],
  span: number,
  from: number,
  to: number,
): ((value: number) => number) => {
  const least = Math.min(...values)
  return value => from + (Math.log(value / least) / (span || 1)) * (to - from)
}

export type Panel = { readonly title: string; readonly work: string; readonly curves: readonly Curve[] }

/** Panels in two columns. */
export const picture = (panels: readonly Panel[]): string => {
  const rows = Math.ceil(panels.length / 2)
  const drawn = panels.map(({ title, work, curves }, index) =>
    panel(title, work, curves, (index % 2) * width, Math.floor(index / 2) * (height + 12)),
  )
  const size = [2 * width, rows * (height + 12)] as const
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}" font-family="sans-serif" font-size="11" fill="#26352c" role="img" aria-label="Time and memory against the amount of work">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...drawn,
    '</svg>\n',
  ].join('\n')
}
