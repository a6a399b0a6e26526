import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { createSchemaCheck } from '../ledger/schema-check.ts'
import { sha256 } from './manifest.ts'

/** One signature over the bytes of `manifest.json`. */
export type Signature = {
  readonly algorithm: 'Ed25519'
  /** SHA-256 of the public key (SPKI, DER) in hexadecimal, for people to compare. */
  readonly fingerprint: string
  /** The public key itself (SPKI, DER) in base64; it does not say who holds it. */
  readonly publicKey: string
  /** In base64. */
  readonly signature: string
}

const derOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' })

/** The fingerprint of a key; see `Signature`. Takes the PEM of a public key, or of its private key. */
export const fingerprintOf = (pem: string): string => sha256(derOf(createPublicKey(pem)))

/** Signs a manifest with an Ed25519 private key in PEM. */
export const signManifest = (manifest: Uint8Array, privateKey: string): Signature => {
  const publicKey = createPublicKey(privateKey)
  return {
    algorithm: 'Ed25519',
    fingerprint: sha256(derOf(publicKey)),
    publicKey: derOf(publicKey).toString('base64'),
    signature: sign(null, manifest, privateKey).toString('base64'),
  }
}

/** Whether a signature was made with the key that it names, over these bytes. */
export const isSignatureValid = (
  { fingerprint, publicKey, signature }: Signature,
  manifest: Uint8Array,
): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return (
      key.asymmetricKeyType === 'ed25519' &&
      sha256(derOf(key)) === fingerprint &&
      verify(null, manifest, key, Buffer.from(signature, 'base64'))
    )
  } catch {
    return false
  }
}

/** `signature.json`: several keys may sign a bundle, each once, in the order of their fingerprints. */
export const writeSignatures = (signatures: readonly Signature[]): string => {
  const sorted = signatures.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
  return `${JSON.stringify({ format: 'plantstore-signature', signatures: sorted }, null, 2)}\n`
}

const text = { type: 'string' }
const check = createSchemaCheck({
  type: 'object',
  required: ['format', 'signatures'],
  properties: {
    format: { const: 'plantstore-signature' },
    signatures: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['algorithm', 'fingerprint', 'publicKey', 'signature'],
        properties: {
          algorithm: { const: 'Ed25519' },
          fingerprint: text,
          publicKey: text,
          signature: text,
        },
      },
    },
  },
})

/** Null if the text is not what `writeSignatures` writes. */
export const readSignatures = (source: string): readonly Signature[] | null => {
  try {
    const value: unknown = JSON.parse(source)
    if (check(value) !== null) return null
    const { signatures } = value as { readonly signatures: readonly Signature[] }
    const isUnique = new Set(signatures.map(({ fingerprint }) => fingerprint)).size === signatures.length
    return isUnique && writeSignatures(signatures) === source ? signatures : null
  } catch {
    return null
  }
}
