import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { emptyFolder } from './folder.ts'
import { listen } from './listen.ts'

/** Without OpenSSL there is no authority to test with. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0

/** How an answer is made: by the certificate of the authority, unless another is described. */
export type Making = {
  /** The digest of contents that the authority accepts. Default: sha256. */
  readonly accepts?: string
  /** The digest that it signs with. Default: sha256. */
  readonly digest?: string
  readonly other?: {
    /** The extended key usage. Default: that of time stamps, critical. */
    readonly usage?: string
    /** How many days it is valid; negative: it never was. Default: 30. */
    readonly days?: number
    /** The padding of RSA signatures. Default: they are ECDSA. */
    readonly rsa?: 'pkcs1' | 'pss'
  }
}

export type Authority = {
  /** The file with its root. */
  readonly caFile: string
  /** DER of its answer to the DER of a request. */
  readonly answer: (request: Uint8Array, making?: Making) => Uint8Array
}

/** A time-stamping authority by OpenSSL, whose certificate is issued by an intermediate one. */
export const createAuthority = (): Authority => {
  const folder = emptyFolder()
  const at = (name: string): string => join(folder, name)
  const openssl = (line: string, ...more: readonly string[]): void => {
    execFileSync('openssl', [...line.split(' '), ...more], { cwd: folder, stdio: 'pipe' })
  }
  const make = (name: string, line: string, key = ecKey): void =>
    openssl(
      `req -config tsa.cnf ${key} -nodes -keyout ${name}.key ${line}`,
      '-subj',
      `/O=Example/CN=Example ${name}`,
    )
  const issue = (name: string, by: string, days: number, key?: string): void => {
    make(name, `-new -out ${name}.csr`, key)
    const issuer = `-CA ${by}.pem -CAkey ${by}.key -CAcreateserial -days ${days}`
    openssl(`x509 -req -in ${name}.csr ${issuer} -extfile tsa.cnf -extensions ${name} -out ${name}.pem`)
  }
  writeFileSync(at('tsa.cnf'), configuration({}))
  make('root', '-x509 -days 60 -extensions root -out root.pem')
  issue('intermediate', 'root', 50)
  issue('authority', 'intermediate', 30)
  return {
    caFile: at('root.pem'),
    answer: (request, making = {}) => {
      writeFileSync(at('tsa.cnf'), configuration(making))
      writeFileSync(at('query'), request)
      const { other } = making
      if (other !== undefined)
        issue('other', 'intermediate', other.days ?? 30, other.rsa === undefined ? ecKey : '-newkey rsa:2048')
      openssl('ts -reply -config tsa.cnf -queryfile query -out reply')
      if (other === undefined) return readFileSync(at('reply'))
      // OpenSSL stamps with a right certificate only, but signs the same content with any.
      openssl('ts -reply -config tsa.cnf -in reply -token_out -out token')
      openssl('cms -verify -noverify -inform DER -in token -out content')
      const type = '-econtent_type 1.2.840.113549.1.9.16.1.4'
      const signer = '-signer other.pem -inkey other.key -certfile intermediate.pem'
      const padding = other.rsa === 'pss' ? ['-keyopt', 'rsa_padding_mode:pss'] : []
      const output = '-in content -outform DER -out signed'
      openssl(`cms -sign -cades -binary -nodetach ${type} ${signer} ${output}`, ...padding)
      return granted(readFileSync(at('signed')))
    },
  }
}

const ecKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256'

/** A TimeStampResp with the status 0 and a token of 256 to 65,000 bytes. */
const granted = (token: Uint8Array): Uint8Array => {
  const content = Buffer.from([0x30, 3, 2, 1, 0, ...token])
  return Buffer.from([0x30, 0x82, content.length >> 8, content.length & 0xff, ...content])
}

const configuration = ({ accepts = 'sha256', digest = 'sha256', other }: Making): string => `
[req]
distinguished_name = names
[names]
[root]
basicConstraints = critical,CA:true
[intermediate]
basicConstraints = critical,CA:true
[authority]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[other]
keyUsage = critical,digitalSignature
extendedKeyUsage = ${other?.usage ?? 'critical,timeStamping'}
[tsa]
default_tsa = stamps
[stamps]
serial = serial
signer_cert = authority.pem
certs = intermediate.pem
signer_key = authority.key
signer_digest = ${digest}
default_policy = 1.2.3.4.1
digests = ${accepts}
ess_cert_id_alg = sha256
`

export type Serve = (body: Uint8Array, response: ServerResponse, request: IncomingMessage) => void

/** Serves on a free port what stands for an authority. */
export const served = async (
  serve: Serve,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    serve(Buffer.concat(chunks), response, request)
  })
  const { url, close } = await listen(server)
  return { url: `${url}/tsa`, close }
}

/** Gives an answer as RFC 3161 says. */
export const reply = (response: ServerResponse, answer: Uint8Array): void => {
  response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer)
}
