import { writeFileSync } from 'node:fs'
import { UsageError } from '../process/exit.ts'
import { certificate, readPemPair } from './pem.ts'

type TlsFlags = {
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCertOut?: string
}

/** The `tls` option of the mock. Throws UsageError if a file cannot be used, before the mock listens. */
export const tlsOf = ({ tls, tlsCert, tlsKey, tlsCertOut }: TlsFlags) => {
  if (tlsCertOut !== undefined) write(tlsCertOut, '')
  const pair = readPemPair({ certFlag: '--tls-cert', cert: tlsCert, keyFlag: '--tls-key', key: tlsKey })
  return pair ?? (tls === true || tlsCertOut !== undefined)
}

/** Describes the certificate that clients have to trust, and writes it if a file is given. */
export const publishCertificate = (pem: string | null, file: string | undefined): readonly string[] => {
  if (pem === null) return []
  const { fingerprint256, validTo } = certificate(pem)
  const description = `certificate SHA-256 ${fingerprint256}, valid until ${validTo}`
  if (file === undefined) return [description]
  write(file, pem)
  return [description, `to trust it: plantstore verify --ca ${file}`]
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
