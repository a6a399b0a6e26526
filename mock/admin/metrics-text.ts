/** One value of a metric. `suffix`: added to the name of the metric. */
export type MetricSample = {
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with all its samples; the name of a counter is without `_total`. */
export type Metric = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** The text format 0.0.4 of Prometheus, and the standard that developed from it. */
export type MetricsFormat = 'prometheus' | 'openmetrics'

export const metricsTypes: Readonly<Record<MetricsFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export const metricsText = (metrics: readonly Metric[], format: MetricsFormat): string => {
  const isOpen = format === 'openmetrics'
  const lines = metrics.flatMap(({ name, type, help, samples }) => {
    const full = type === 'counter' ? `${name}_total` : name
    // Only Prometheus declares a counter by the name of its samples, with `_total`.
    const declared = isOpen ? name : full
    return [
      `# HELP ${declared} ${help}`,
      `# TYPE ${declared} ${type}`,
      ...samples.map(
        ({ suffix = '', labels = {}, value }) => `${full}${suffix}${labelsText(labels)} ${numberText(value)}`,
      ),
    ]
  })
  return [...lines, ...(isOpen ? ['# EOF'] : [])].map(line => `${line}\n`).join('')
}

/** The format that an Accept header (RFC 9110, 12.5.1) prefers; without a preference, that of Prometheus. */
export const metricsFormat = (accept: string): MetricsFormat => {
  const ranges = accept.split(',').map(range => {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    return { type, weight: weight === undefined ? 1 : Number(weight) || 0 }
  })
  const best = (...types: readonly string[]): number =>
    Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map(({ weight }) => weight))
  const open = best('application/openmetrics-text')
  return open > 0 && open >= best('text/plain') ? 'openmetrics' : 'prometheus'
}

const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const numberText = (value: number): string => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))
