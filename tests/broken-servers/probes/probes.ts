export type { Probe } from './probe.ts'

import { acceptProbes } from './accept.ts'
import { credentialProbes, mediaProbes, type Probe } from './probe.ts'
import { jsonProbes, typeProbes } from './reject.ts'

/** One request of each kind, written by hand, with the obligation that it is about. */
export const probes: readonly Probe[] = [
  ...credentialProbes,
  ...mediaProbes,
  ...typeProbes,
  ...jsonProbes,
  ...acceptProbes,
]
