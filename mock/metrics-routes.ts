import { families, header } from '../spec/index.ts'
import type { Served } from './documents.ts'
import { bounds, type Counts, type Metrics, type Tally } from './metrics.ts'
import { type Metric, metricsFormat, metricsText, metricsTypes, type Sample } from './metrics-text.ts'
import type { OwnRoutes } from './own.ts'

/** `GET /__plantstore/metrics`, for Prometheus. */
export const metricsRoutes = (metrics: Metrics, documents: () => readonly Served[]): OwnRoutes => ({
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

/** Requests of no declared operation are told under one label: their paths are without end. */
const operationOf = ({ operation }: Tally): string => operation ?? '(none)'

const metricsOf = ({ tallies, inFlight, connections, received, sent }: Counts): readonly Metric[] => [
  {
    name: 'plantstore_requests',
    type: 'counter',
    help: 'Requests that were answered, by what the contract says of them.',
    samples: tallies.flatMap(answerSamples),
  },
  {
    name: 'plantstore_breaches',
    type: 'counter',
    help: 'Obligations that requests broke, by their family and the part of the request at fault.',
    samples: tallies.flatMap(breachSamples),
  },
  {
    name: 'plantstore_request_duration_seconds',
    type: 'histogram',
    help: 'Time from a request that is read to its answer that is made.',
    samples: tallies.flatMap(durationSamples),
  },
  gauge('plantstore_requests_in_flight', 'Requests that are being answered.', inFlight),
  gauge('plantstore_connections_open', 'Connections of clients that are open.', connections),
  counter('plantstore_request_body_bytes', 'Bytes of the bodies of requests that were read.', received),
  counter('plantstore_response_body_bytes', 'Bytes of the bodies of answers.', sent),
]

const staleMetric = (documents: readonly Served[]): Metric => ({
  name: 'plantstore_document_stale',
  type: 'gauge',
  help: 'Whether the files of a document are broken, and the last good one is served.',
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
    gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
    gauge('process_heap_bytes', 'Heap of the process that is in use.', heapUsed),
    gauge(
      'process_start_time_seconds',
      'When the process was started, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
    gauge('process_uptime_seconds', 'Time since the process was started.', process.uptime()),
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

const answerSamples = (tally: Tally): readonly Sample[] =>
  [...tally.answers].flatMap(([standing, statuses]) => {
    const family = (families as readonly string[]).includes(standing) ? standing : ''
    const verdict = family === '' ? standing : 'broken'
    return [...statuses].map(([status, value]) => ({
      labels: { operation: operationOf(tally), status: String(status), verdict, family },
      value,
    }))
  })

const breachSamples = (tally: Tally): readonly Sample[] =>
  [...tally.breaches].map(([key, value]) => {
    const [family = '', cause = ''] = key.split(' ')
    return { labels: { operation: operationOf(tally), family, cause }, value }
  })

/** Buckets hold all that is below their bound: each holds the one before it. */
const durationSamples = (tally: Tally): readonly Sample[] => {
  const operation = operationOf(tally)
  let below = 0
  const buckets = tally.durations.map((count, index): Sample => {
    below += count
    const le = bounds[index]
    return {
      suffix: '_bucket',
      labels: { operation, le: le === undefined ? '+Inf' : decimal(le) },
      value: below,
    }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels: { operation }, value: tally.seconds },
    { suffix: '_count', labels: { operation }, value: below },
  ]
}

// OpenMetrics writes bounds as numbers with a point.
const decimal = (bound: number): string => (Number.isInteger(bound) ? bound.toFixed(1) : String(bound))
