import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { listOf, oneOf, record, text } from '../shape.ts'
import { sha256 } from './manifest.ts'

/** One signature over the bytes of `manifest.json`. */
export type Signature = {
  readonly algorithm: 'Ed25519'
  /** SHA-256 of the public key (SPKI, DER) in hexadecimal: what people compare. */
  readonly fingerprint: string
  /** The public key itself (SPKI, DER) in base64; it says nothing of who holds it. */
  readonly publicKey: string
  /** In base64. */
  readonly signature: string
}

const derOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' })

/** What a key is told by: see `Signature`. Takes the PEM of a public key, or of the private one that belongs to it. */
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

/** Whether a signature is by the key that it names, over these bytes. */
export const holds = ({ fingerprint, publicKey, signature }: Signature, manifest: Uint8Array): boolean => {
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

/** `signature.json`: a bundle may be signed by several, each key once, in the order of their fingerprints. */
export const writeSignatures = (signatures: readonly Signature[]): string => {
  const sorted = signatures.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
  return `${JSON.stringify({ format: 'plantstore-signature', signatures: sorted }, null, 2)}\n`
}

const shape = record({
  format: oneOf('plantstore-signature'),
  signatures: listOf(
    record({ algorithm: oneOf('Ed25519'), fingerprint: text, publicKey: text, signature: text }),
  ),
})

/** Null where it is not what `writeSignatures` writes. */
export const readSignatures = (source: string): readonly Signature[] | null => {
  try {
    const value = JSON.parse(source) as { readonly signatures: readonly Signature[] }
    if (shape(value, '') !== null) return null
    const names = new Set(value.signatures.map(({ fingerprint }) => fingerprint))
    const whole = names.size === value.signatures.length && names.size > 0
    return whole && writeSignatures(value.signatures) === source ? value.signatures : null
  } catch {
    return null
  }
}
