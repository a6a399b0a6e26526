export type { Probe } from './probe.ts'

import { bearerProbes, mediaProbes, type Probe } from './probe.ts'
import { acceptProbes } from './probe-accept.ts'
import { jsonProbes, typeProbes } from './probe-refuse.ts'

/** One request of each sort, written by hand, each with the obligation that it is about. */
export const probes: readonly Probe[] = [
  ...bearerProbes,
  ...mediaProbes,
  ...typeProbes,
  ...jsonProbes,
  ...acceptProbes,
]
