import { SignedData } from '@peculiar/asn1-cms'
import { AsnConvert } from '@peculiar/asn1-schema'
import { MessageImprint, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js'

/** The answer of a time-stamping authority (RFC 3161, TimeStampResp). */
export type Answer = {
  /** 0 and 1: granted. */
  readonly status: number
  /** What the authority says about a refusal. */
  readonly reasons: readonly string[]
  /** Null if it has none. */
  readonly token: Token | null
}

/** A time-stamp token, read and not checked. Algorithms and attributes are object identifiers. */
export type Token = {
  readonly contentType: string
  /** The signed bytes of the TSTInfo. */
  readonly content: Uint8Array
  readonly imprint: { readonly algorithm: string; readonly hash: Uint8Array }
  readonly time: Date
  readonly nonce: Uint8Array | null
  readonly certificates: readonly TokenCertificate[]
  readonly signers: readonly Signer[]
}

export type TokenCertificate = {
  /** DER, exactly as it was sent. */
  readonly bytes: Uint8Array
  /** Whether its extended key usage is critical. */
  readonly hasCriticalUsage: boolean
}

export type Signer = {
  readonly digestAlgorithm: string
  readonly signatureAlgorithm: string
  readonly signature: Uint8Array
  /** DER of the signed attributes, as they are signed. */
  readonly attributes: Uint8Array
  readonly contentType: string | null
  readonly digest: Uint8Array | null
  /** The certificate that the signer commits to. */
  readonly certificate: { readonly algorithm: string; readonly hash: Uint8Array } | null
}

const oids = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  extendedKeyUsage: '2.5.29.37',
}

/** The DER of a TimeStampReq for a SHA-256 that asks for the certificates. The nonce is a positive integer without leading zeros. */
export const encodeRequest = (sha256: Uint8Array, nonce: Uint8Array): Uint8Array => {
  const messageImprint = new MessageImprint()
  messageImprint.hashAlgorithm.algorithm = oids.sha256
  messageImprint.hashAlgorithm.parameters = null
  messageImprint.hashedMessage.buffer = bufferOf(sha256)
  return new Uint8Array(
    AsnConvert.serialize(new TimeStampReq({ messageImprint, nonce: bufferOf(nonce), certReq: true })),
  )
}

/** Reads the DER of a TimeStampResp. Throws if it is none. */
export const decodeAnswer = (bytes: Uint8Array): Answer => {
  if (fromBER(bytes).offset !== bytes.length) throw new Error('it is cut, or goes on behind its end')
  const { status, timeStampToken } = AsnConvert.parse(bytes, TimeStampResp)
  return {
    status: status.status,
    reasons: [...(status.statusString ?? []), ...(status.failInfo?.toJSON() ?? [])],
    token: timeStampToken === undefined ? null : tokenOf(timeStampToken),
  }
}

const tokenOf = ({ contentType, content }: { contentType: string; content: ArrayBuffer }): Token => {
  if (contentType !== oids.signedData) throw new Error('its token is not signed')
  const { certificates, encapContentInfo, signerInfos } = AsnConvert.parse(content, SignedData)
  const signed = new Uint8Array(encapContentInfo.eContent?.single?.buffer ?? new ArrayBuffer(0))
  const info = AsnConvert.parse(signed, TSTInfo)
  if (Number.isNaN(info.genTime.getTime())) throw new Error('it has no time')
  // A certificate or an attribute that was read and written again can differ from what was signed.
  const parts = partsOf(blockOf(content))
  const raw = partsOf(parts.find(isTagged)).map(rawOf)
  const attributes = partsOf(parts.at(-1)).map(signer => partsOf(signer).find(isTagged))
  return {
    contentType: encapContentInfo.eContentType,
    content: signed,
    imprint: {
      algorithm: info.messageImprint.hashAlgorithm.algorithm,
      hash: new Uint8Array(info.messageImprint.hashedMessage.buffer),
    },
    time: info.genTime,
    nonce: info.nonce === undefined ? null : new Uint8Array(info.nonce),
    certificates: [...(certificates ?? [])].map(({ certificate }, index) => ({
      bytes: raw[index] ?? new Uint8Array(),
      hasCriticalUsage:
        certificate?.tbsCertificate.extensions?.find(({ extnID }) => extnID === oids.extendedKeyUsage)
          ?.critical === true,
    })),
    signers: [...signerInfos].map((signer, index) => signerOf(signer, attributes[index])),
  }
}

const signerOf = (info: SignedData['signerInfos'][number], signed: BaseBlock | undefined): Signer => {
  const attribute = (oid: string): ArrayBuffer | null =>
    info.signedAttrs?.find(({ attrType }) => attrType === oid)?.attrValues[0] ?? null
  const attributes = signed === undefined ? new Uint8Array() : rawOf(signed)
  // What is sent with the tag [0] is signed with that of a SET.
  if (attributes.length > 0) attributes[0] = 0x31
  const contentType = blockOf(attribute(oids.contentType))
  return {
    digestAlgorithm: info.digestAlgorithm.algorithm,
    signatureAlgorithm: info.signatureAlgorithm.algorithm,
    signature: new Uint8Array(info.signature.buffer),
    attributes,
    contentType: contentType instanceof ObjectIdentifier ? contentType.getValue() : null,
    digest: octetsOf(blockOf(attribute(oids.messageDigest))),
    certificate:
      certificateId(attribute(oids.signingCertificateV2), oids.sha256) ??
      certificateId(attribute(oids.signingCertificate), oids.sha1),
  }
}

/** The first certificate of a SigningCertificate (RFC 5035), which is that of the signer. */
const certificateId = (value: ArrayBuffer | null, byDefault: string): Signer['certificate'] => {
  const [list] = partsOf(blockOf(value))
  const [first] = partsOf(list)
  const parts = partsOf(first)
  const hash = octetsOf(parts.find(part => part instanceof OctetString))
  if (hash === null) return null
  const [named] = parts[0] instanceof Sequence ? partsOf(parts[0]) : []
  return { algorithm: named instanceof ObjectIdentifier ? named.getValue() : byDefault, hash }
}

/** The tag of the certificates in a SignedData, and of the signed attributes in a SignerInfo. */
const isTagged = (block: BaseBlock): boolean =>
  block instanceof Constructed && block.idBlock.tagClass === 3 && block.idBlock.tagNumber === 0

const rawOf = (block: BaseBlock): Uint8Array => new Uint8Array(block.valueBeforeDecodeView)

const blockOf = (bytes: ArrayBuffer | null): BaseBlock | undefined =>
  bytes === null ? undefined : fromBER(bytes).result

const partsOf = (block: BaseBlock | undefined): readonly BaseBlock[] =>
  block instanceof Constructed ? block.valueBlock.value : []

const octetsOf = (block: BaseBlock | undefined): Uint8Array | null =>
  block instanceof OctetString ? new Uint8Array(block.getValue()) : null

const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
