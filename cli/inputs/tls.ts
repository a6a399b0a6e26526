import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { UsageError } from '../process/exit.ts'
import { certificate, privateKey, readPem } from './access.ts'

type TlsFlags = {
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCertOut?: string
}

/** What the mock speaks TLS with. Throws UsageError where a file cannot be used, before anything listens. */
export const tlsOf = ({
  tls,
  tlsCert: cert,
  tlsKey: key,
  tlsCertOut,
}: TlsFlags): boolean | { readonly key: string; readonly cert: string } => {
  if (tlsCertOut !== undefined) write(tlsCertOut, '')
  if (cert === undefined && key === undefined) return tls === true || tlsCertOut !== undefined
  if (cert === undefined || key === undefined)
    throw new UsageError(
      `--tls-cert and --tls-key belong together: give ${cert === undefined ? '--tls-cert' : '--tls-key'} as well`,
    )
  const own = {
    cert: readPem('--tls-cert', cert, certificate),
    key: readPem('--tls-key', key, privateKey),
  }
  if (!new X509Certificate(own.cert).checkPrivateKey(privateKey(own.key)))
    throw new UsageError(`--tls-key ${key} is not the key of the certificate in --tls-cert ${cert}`)
  return own
}

/** Writes what clients have to trust, where a file is named, and tells it. */
export const trusted = (pem: string | null, file: string | undefined): readonly string[] => {
  if (pem === null) return []
  const { fingerprint256, validTo } = new X509Certificate(pem)
  const told = [`certificate SHA-256 ${fingerprint256}, good until ${validTo}`]
  if (file === undefined) return told
  write(file, pem)
  return [...told, `clients trust it by that file: plantstore verify --ca ${file}`]
}

const write = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `--tls-cert-out ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
