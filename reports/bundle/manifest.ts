import { createHash } from 'node:crypto'
import type { Ledger } from '../../spec/index.ts'
import { listOf, number, oneOf, orNull, record, text } from '../shape.ts'
import { summarise } from '../summary.ts'
import { type PackedFile, packing } from './pack.ts'

/** A file of a bundle, with what it is for. */
export type BundleFile = PackedFile & { readonly about: string }

/** What a bundle should hold and does not, and why. */
export type Missing = { readonly name: string; readonly because: string }

/** What a bundle says of itself: `manifest.json`. A signature is over its very bytes. */
export type Manifest = {
  readonly format: 'plantstore-bundle'
  readonly version: 1
  readonly packing: string
  readonly product: Ledger['start']['product']
  readonly contract: Ledger['start']['contract']
  readonly run: RunFacts
  readonly missing: readonly Missing[]
  readonly files: readonly {
    readonly name: string
    readonly about: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

type RunFacts = {
  readonly at: string
  readonly target: string
  readonly seed: number
  readonly verdict: string
  readonly stopped: string
  readonly cases: number
  readonly requests: number | null
  /** SHA-256 over the planned requests; null where the run was cut off. */
  readonly requestDigest: string | null
}

/** SHA-256 in hexadecimal. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** All of a manifest that a ledger tells. */
export const factsOf = (ledger: Ledger): Pick<Manifest, 'product' | 'contract' | 'run'> => {
  const { start, end } = ledger
  const { verdict, cases, requests } = summarise(ledger)
  return {
    product: start.product,
    contract: start.contract,
    run: {
      at: start.at,
      target: start.target,
      seed: start.seed,
      verdict,
      stopped: end?.stopped ?? 'cut',
      cases,
      requests,
      requestDigest: end?.digest ?? null,
    },
  }
}

export const manifestOf = (
  ledger: Ledger,
  files: readonly BundleFile[],
  missing: readonly Missing[],
): Manifest => ({
  format: 'plantstore-bundle',
  version: 1,
  packing,
  ...factsOf(ledger),
  missing,
  files: files.map(({ name, about, bytes }) => ({ name, about, bytes: bytes.length, sha256: sha256(bytes) })),
})

export const writeManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`

const shape = record({
  format: oneOf('plantstore-bundle'),
  version: number,
  packing: text,
  product: record({ name: text, version: text }),
  contract: record({ title: text, version: text, openapi: text, digest: text, source: text }),
  run: record({
    at: text,
    target: text,
    seed: number,
    verdict: text,
    stopped: text,
    cases: number,
    requests: orNull(number),
    requestDigest: orNull(text),
  }),
  missing: listOf(record({ name: text, because: text })),
  files: listOf(record({ name: text, about: text, bytes: number, sha256: text })),
})

/** Reads a manifest; where it is none, what is wrong with it as one line. */
export const readManifest = (source: string): Manifest | string => {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return 'it is not JSON'
  }
  const problem = shape(value, '')
  if (problem !== null) return problem
  const manifest = value as Manifest
  if (manifest.version !== 1)
    return `its version is ${manifest.version}, and this plantstore reads version 1 only`
  return writeManifest(manifest) === source ? manifest : 'it is not written as plantstore writes it'
}
