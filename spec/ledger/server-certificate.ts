/** The certificate of the server under test, as a connection of the run got it. Names are as the certificate has them, cut if long. */
export type ServerCertificate = {
  /** `CN=staging.example.test, O=ACME`; empty if it has none. */
  readonly subject: string
  /** Its alternative names: `DNS:staging.example.test`; empty if it has none. */
  readonly names: string
  readonly issuer: string
  /** ISO 8601. */
  readonly from: string
  readonly to: string
  /** SHA-256 of the certificate in DER, in hexadecimal. */
  readonly sha256: string
  /** Whether its chain and the server's name were verified; only with `insecure` it can be false. */
  readonly verified: boolean
}
