import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, run, venv } from '../frameworks/processes.ts'
import { fromDebian, fromGo, fromGoModule, fromMaven, fromPyPi, type Package } from './install.ts'

type Place = {
  /** Where it is installed. */
  readonly folder: string
  /** An empty folder for what it keeps. */
  readonly state: string
  readonly port: number
}

/** A product that others wrote, with the document that they publish. */
export type Product = {
  readonly packages: readonly Package[]
  /** Writes its configuration into the state folder if it needs one. */
  readonly start: (place: Place) => {
    readonly command: Command
    readonly env?: Readonly<Record<string, string>>
  }
  /** The path at which it serves its document, or the file that its package has. */
  readonly document: { readonly served: string } | { readonly file: (folder: string) => string }
  /** The path under which it has the paths of the document. */
  readonly base: string
  /** A path that answers 2xx when it is ready. */
  readonly ready: string
  /** The flags of our command, and the header that they come to, for Schemathesis. */
  readonly credentials?: { readonly flags: readonly string[]; readonly header: string }
  /** Paths that neither tool may send to, as they end the service. */
  readonly never?: readonly string[]
}

const basic = {
  flags: ['--auth', 'basic', '--token', 'admin:secret'],
  header: `Authorization: Basic ${Buffer.from('admin:secret').toString('base64')}`,
}

const inPackage = (folder: string, path: string): string =>
  join(folder, 'venv/lib', readdirSync(join(folder, 'venv/lib'))[0] ?? '', 'site-packages', path)

/** Debian's programs look for their files below /usr, so what was unpacked is laid over it, for them alone. */
const ofDebian = (folder: string, ...command: readonly string[]): Command => [
  ...(['unshare', '--mount', 'sh', '-c'] as const),
  'mount -t overlay -o "lowerdir=$0/usr:/usr" overlay /usr && exec "$@"',
  ...[join(folder, 'root'), ...command],
]

export const products: Readonly<Record<string, Product>> = {
  jupyter: {
    packages: [fromPyPi('jupyter_server==2.21.1', 'ipykernel')],
    start: ({ folder, state, port }) => ({
      command: [
        venv(folder, 'jupyter-server'),
        ...['--ip', '127.0.0.1', '--port', String(port), '--no-browser', '--allow-root'],
        ...['--IdentityProvider.token=secret', `--ServerApp.root_dir=${state}`],
      ],
    }),
    document: { file: folder => inPackage(folder, 'jupyter_server/services/api/api.yaml') },
    base: '/',
    ready: '/api',
    credentials: {
      flags: ['--auth', 'Authorization: token {}', '--token', 'secret'],
      header: 'Authorization: token secret',
    },
  },
  prefect: {
    packages: [fromPyPi('prefect==3.9.1')],
    start: ({ folder, state, port }) => ({
      command: [
        venv(folder, 'prefect'),
        ...['server', 'start', '--host', '127.0.0.1', '--port', String(port)],
      ],
      env: { PREFECT_HOME: state, PREFECT_SERVER_ANALYTICS_ENABLED: 'false' },
    }),
    document: { served: '/openapi.json' },
    base: '/api',
    ready: '/api/health',
  },
  chroma: {
    packages: [fromPyPi('chromadb==1.5.9')],
    start: ({ folder, state, port }) => ({
      command: [
        venv(folder, 'chroma'),
        ...['run', '--path', state, '--host', '127.0.0.1', '--port', String(port)],
      ],
    }),
    document: { served: '/openapi.json' },
    base: '/',
    ready: '/api/v2/heartbeat',
  },
  kinto: {
    packages: [fromPyPi('kinto==26.5.0', 'setuptools<81')],
    start: ({ folder, state, port }) => {
      const settings = [
        ...['[server:main]', 'use = egg:waitress', 'host = 127.0.0.1', 'port = %(http_port)s'],
        ...[
          '[app:main]',
          'use = egg:kinto',
          'multiauth.policies = basicauth',
          'kinto.userid_hmac_secret = salt',
        ],
        ...['storage', 'cache', 'permission'].map(
          each => `kinto.${each}_backend = kinto.core.${each}.memory`,
        ),
        'kinto.bucket_create_principals = system.Authenticated',
      ]
      writeFileSync(join(state, 'kinto.ini'), `${settings.join('\n')}\n`)
      return {
        command: [
          venv(folder, 'kinto'),
          ...['start', '--ini', join(state, 'kinto.ini'), '--port', String(port)],
        ],
      }
    },
    document: { served: '/v1/__api__' },
    base: '/v1',
    ready: '/v1/__heartbeat__',
    credentials: basic,
  },
  httpbin: {
    packages: [fromPyPi('httpbin==0.10.4', 'flasgger==0.9.7.1', 'gunicorn', 'setuptools<81')],
    start: ({ folder, port }) => ({
      command: [
        venv(folder, 'gunicorn'),
        ...['--workers', '2', '--threads', '8', '--no-control-socket', '--log-level', 'critical'],
        ...['--bind', `127.0.0.1:${port}`, 'httpbin:app'],
      ],
    }),
    document: { served: '/spec.json' },
    base: '/',
    ready: '/get',
  },
  alertmanager: {
    packages: [
      fromDebian('prometheus-alertmanager'),
      fromGoModule('github.com/prometheus/alertmanager@v0.25.0'),
    ],
    start: ({ folder, state, port }) => {
      // Its one receiver sends nothing to anybody.
      writeFileSync(join(state, 'config.yml'), 'route: { receiver: nobody }\nreceivers: [{ name: nobody }]\n')
      return {
        command: ofDebian(
          folder,
          'prometheus-alertmanager',
          ...['--config.file', join(state, 'config.yml'), '--storage.path', join(state, 'data')],
          ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
        ),
      }
    },
    document: { file: folder => join(folder, 'module/api/v2/openapi.yaml') },
    base: '/api/v2',
    ready: '/-/ready',
  },
  powerdns: {
    packages: [fromDebian('pdns-server', 'pdns-backend-sqlite3', 'libluajit-5.1-2')],
    start: ({ folder, state, port }) => {
      const database = join(state, 'pdns.sqlite')
      const schema = join(folder, 'root/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql')
      const create =
        'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())'
      run(state, ['python3', '-c', create, database, schema])
      return {
        command: ofDebian(
          folder,
          'pdns_server',
          ...[`--config-dir=${state}`, `--socket-dir=${state}`],
          ...['--launch=gsqlite3', `--gsqlite3-database=${database}`, '--security-poll-suffix='],
          ...['--local-address=127.0.0.1', '--local-port=5300', '--daemon=no', '--guardian=no'],
          ...['--api=yes', '--api-key=secret', '--webserver=yes', '--webserver-address=127.0.0.1'],
          `--webserver-port=${port}`,
        ),
      }
    },
    document: { served: '/api/docs' },
    base: '/api/v1',
    ready: '/api/v1/servers',
    credentials: { flags: ['--token', 'secret'], header: 'X-API-Key: secret' },
  },
  openfga: {
    packages: [
      fromGo('github.com/openfga/openfga/cmd/openfga@v1.22.1'),
      // The version that this server is made of.
      fromGoModule('github.com/openfga/api@v0.0.0-20260319214821-f153694bfc20'),
    ],
    start: ({ folder, port }) => ({
      command: [
        join(folder, 'openfga'),
        ...['run', '--http-addr', `127.0.0.1:${port}`, '--grpc-addr', '127.0.0.1:8081'],
        ...['--playground-enabled=false', '--metrics-enabled=false'],
        ...['--authn-method', 'preshared', '--authn-preshared-keys', 'secret'],
      ],
    }),
    document: { file: folder => join(folder, 'module/docs/openapiv2/apidocs.swagger.json') },
    base: '/',
    ready: '/healthz',
    credentials: { flags: ['--auth', 'bearer', '--token', 'secret'], header: 'Authorization: Bearer secret' },
  },
  mailpit: {
    packages: [fromGo('github.com/axllent/mailpit@v1.33.1')],
    start: ({ folder, state, port }) => ({
      command: [
        join(folder, 'mailpit'),
        ...[
          '--listen',
          `127.0.0.1:${port}`,
          '--smtp',
          '127.0.0.1:1025',
          '--database',
          join(state, 'mail.db'),
        ],
        '--disable-version-check',
      ],
      env: { MP_UI_AUTH: 'admin:secret', MP_SEND_API_AUTH: 'admin:secret' },
    }),
    document: { served: '/api/v1/swagger.json' },
    base: '/',
    ready: '/readyz',
    credentials: basic,
  },
  wiremock: {
    packages: [fromMaven('org.wiremock:wiremock-standalone:3.13.1')],
    start: ({ folder, state, port }) => ({
      command: [
        ...(['java', '-jar', join(folder, 'wiremock-standalone-3.13.1.jar')] as const),
        ...['--bind-address', '127.0.0.1', '--port', String(port), '--root-dir', state],
        ...['--admin-api-basic-auth', 'admin:secret'],
      ],
    }),
    document: { served: '/__admin/docs/swagger' },
    base: '/',
    ready: '/__admin/health',
    credentials: basic,
    never: ['/__admin/shutdown'],
  },
}
