import { families, header } from '../../spec/index.ts'
import type { Served } from '../documents/documents.ts'
import { bounds, type Counts, type Metrics, type OperationCounts } from '../middleware/metrics.ts'
import type { AdminRoutes } from './routes.ts'

/** `GET /__plantstore/metrics`, for Prometheus. */
export const metricsRoutes = (metrics: Metrics, documents: () => readonly Served[]): AdminRoutes => ({
  'GET /metrics': ({ headers }) => {
    const format = metricsFormat(header(headers, 'accept') ?? '')
    const all = [...metricsOf(metrics.counts()), staleMetric(documents()), ...processMetrics()]
    return {
      status: 200,
      headers: [
        ['Content-Type', metricsTypes[format]],
        ['Cache-Control', 'no-store'],
        ['Vary', 'Accept'],
      ],
      body: new TextEncoder().encode(metricsText(all, format)),
    }
  },
})

/** Requests for no declared operation share one label: there is no end to their paths. */
const labelOf = ({ operation }: OperationCounts): string => operation ?? '(none)'

const metricsOf = ({ operations, inFlight, connections, received, sent }: Counts): readonly Metric[] => [
  {
    name: 'plantstore_requests',
    type: 'counter',
    help: 'Requests, by whether they conform to the contract.',
    samples: operations.flatMap(requestSamples),
  },
  {
    name: 'plantstore_violations',
    type: 'counter',
    help: 'Obligations that requests broke, by family and by the invalid part of the request.',
    samples: operations.flatMap(violationSamples),
  },
  {
    name: 'plantstore_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the end of a request to its response.',
    samples: operations.flatMap(durationSamples),
  },
  gauge('plantstore_requests_in_flight', 'Requests without a response yet.', inFlight),
  gauge('plantstore_connections_open', 'Open connections of clients.', connections),
  counter('plantstore_request_body_bytes', 'Bytes of the bodies of requests.', received),
  counter('plantstore_response_body_bytes', 'Bytes of the bodies of responses.', sent),
]

const staleMetric = (documents: readonly Served[]): Metric => ({
  name: 'plantstore_document_stale',
  type: 'gauge',
  help: '1 if the files of a document are not usable and its last usable version is served.',
  samples: documents.map(({ prefix, problem }) => ({
    labels: { prefix: prefix || '/' },
    value: problem === null ? 0 : 1,
  })),
})

const processMetrics = (): readonly Metric[] => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    counter('process_cpu_seconds', 'User and system time of the process.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', rss),
    gauge('process_heap_bytes', 'Heap in use by the process.', heapUsed),
    gauge(
      'process_start_time_seconds',
      'Start of the process, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
    gauge('process_uptime_seconds', 'Time since the start of the process.', process.uptime()),
  ]
}

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  type: 'gauge',
  help,
  samples: [{ value }],
})

const counter = (name: string, help: string, value: number): Metric => ({
  ...gauge(name, help, value),
  type: 'counter',
})

const requestSamples = (counts: OperationCounts): readonly MetricSample[] =>
  [...counts.responses].flatMap(([kind, statuses]) => {
    const family = (families as readonly string[]).includes(kind) ? kind : ''
    const verdict = family === '' ? kind : 'invalid'
    return [...statuses].map(([status, value]) => ({
      labels: { operation: labelOf(counts), status: String(status), verdict, family },
      value,
    }))
  })

const violationSamples = (counts: OperationCounts): readonly MetricSample[] =>
  [...counts.violations].map(([key, value]) => {
    const [family = '', part = ''] = key.split(' ')
    return { labels: { operation: labelOf(counts), family, part }, value }
  })

/** Buckets are cumulative: each counts all durations up to its bound. */
const durationSamples = (counts: OperationCounts): readonly MetricSample[] => {
  const operation = labelOf(counts)
  let total = 0
  const buckets = counts.durations.map((count, index): MetricSample => {
    total += count
    const le = bounds[index]
    return {
      suffix: '_bucket',
      labels: { operation, le: le === undefined ? '+Inf' : decimal(le) },
      value: total,
    }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels: { operation }, value: counts.seconds },
    { suffix: '_count', labels: { operation }, value: total },
  ]
}

// OpenMetrics writes bounds with a decimal point.
const decimal = (bound: number): string => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound))

/** One value of a metric. `suffix`: added to the name of the metric. */
type MetricSample = {
  readonly suffix?: '_bucket' | '_sum' | '_count'
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with all its samples; the name of a counter is without `_total`. */
type Metric = {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

/** The text format 0.0.4 of Prometheus, and the standard that developed from it. */
export type MetricsFormat = 'prometheus' | 'openmetrics'

const metricsTypes: Readonly<Record<MetricsFormat, string>> = {
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
