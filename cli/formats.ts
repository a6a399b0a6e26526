import type { FormatName } from '../reports/index.ts'

// The help names them, and is not to wait until the room that writes them is loaded.
const known: Readonly<Record<FormatName, true>> = {
  ndjson: true,
  json: true,
  junit: true,
  html: true,
  terminal: true,
  trace: true,
}

export const formatNames = Object.keys(known) as readonly FormatName[]
