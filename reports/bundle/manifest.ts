import { createHash } from 'node:crypto'
import type { Ledger, Schema, ServerCertificate } from '../../spec/index.ts'
import { createSchemaCheck } from '../ledger/schema-check.ts'
import { headline } from '../view/conclusion.ts'
import { summarise } from '../view/summary.ts'
import { type PackedFile, packing } from './pack.ts'

/** A file of a bundle and its purpose. */
export type BundleFile = PackedFile & { readonly about: string }

/** A file that the bundle lacks, and why. */
export type Missing = { readonly name: string; readonly reason: string }

/** `manifest.json`: what the bundle holds. Signatures are over its bytes. */
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
  readonly testedProduct: Readonly<Record<string, string>>
  readonly runBy: string | null
  readonly nonce: string | null
  /** Those that the server showed; none without TLS. */
  readonly certificates: readonly ServerCertificate[]
  /** `CONFORMANT`, or `PARTIAL: 12 of 209 requirements tested, nothing failed` */
  readonly verdict: string
  readonly stopped: string
  readonly cases: number
  readonly requests: number | null
  /** SHA-256 over the planned requests; null if the run was cut off. */
  readonly requestDigest: string | null
}

/** SHA-256 in hexadecimal. */
export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Everything in a manifest that follows from the ledger. */
export const factsOf = (ledger: Ledger): Pick<Manifest, 'product' | 'contract' | 'run'> => {
  const { start, end } = ledger
  const summary = summarise(ledger)
  return {
    product: start.product,
    contract: start.contract,
    run: {
      at: start.at,
      target: start.target,
      seed: start.seed,
      testedProduct: start.testedProduct ?? {},
      runBy: start.runBy ?? null,
      nonce: start.nonce ?? null,
      certificates: end?.certificates ?? [],
      verdict: headline(summary),
      stopped: end?.stopped ?? 'cut',
      cases: summary.cases,
      requests: summary.requests,
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

const text = { type: 'string' }
const number = { type: 'number' }

/** An object with all of these members, and no others. */
const objectOf = (
  properties: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): object => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
  additionalProperties: false,
})

const texts = { type: 'array', items: text }
const textOrNull = { type: ['string', 'null'] }

const certificate = objectOf({
  subject: text,
  names: text,
  issuer: text,
  from: text,
  to: text,
  sha256: text,
  verified: { type: 'boolean' },
})

const check = createSchemaCheck(
  objectOf({
    format: { const: 'plantstore-bundle' },
    version: { const: 1 },
    packing: text,
    product: objectOf({ name: text, version: text }),
    contract: objectOf(
      { title: text, version: text, openapi: text, digest: text, source: text },
      { overlays: texts, notTested: texts },
    ),
    run: objectOf({
      at: text,
      target: text,
      seed: number,
      testedProduct: { type: 'object', additionalProperties: text },
      runBy: textOrNull,
      nonce: textOrNull,
      certificates: { type: 'array', items: certificate },
      verdict: text,
      stopped: text,
      cases: number,
      requests: { type: ['number', 'null'] },
      requestDigest: textOrNull,
    }),
    missing: { type: 'array', items: objectOf({ name: text, reason: text }) },
    files: { type: 'array', items: objectOf({ name: text, about: text, bytes: number, sha256: text }) },
  }) as Schema,
)

/** Reads a manifest; if it is not one, returns the reason in one line. */
export const readManifest = (source: string): Manifest | string => {
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch {
    return 'it is not JSON'
  }
  const problem = check(value)
  if (problem !== null) return problem
  const manifest = value as Manifest
  return writeManifest(manifest) === source ? manifest : 'it is not written as plantstore writes it'
}
