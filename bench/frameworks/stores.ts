import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '../../conformance/index.ts'
import type { Ledger } from '../../spec/index.ts'
import {
  type Command,
  cache,
  during,
  freePort,
  has,
  installNode,
  installPython,
  report,
  run,
  sources,
  token,
  venv,
} from './processes.ts'

/** The stores in one language. `frameworks`: each has a naive and a hardened one. */
type Toolchain = {
  readonly needs: Command
  readonly install: () => void
  readonly frameworks: readonly string[]
  readonly command: (server: string, port: number) => Command
}

const folder = (toolchain: string): string => join(cache, 'stores', toolchain)
const bin = (name: string): string => venv(folder('python'), name)

const toolchains: Readonly<Record<string, Toolchain>> = {
  node: {
    needs: [process.execPath, '--version'],
    install: () => installNode(folder('node')),
    frameworks: ['express', 'koa', 'hono'],
    command: server => [process.execPath, join(folder('node'), `${server}.mjs`)],
  },
  python: {
    needs: ['python3', '-m', 'venv', '--help'],
    install: () => installPython(folder('python')),
    frameworks: ['flask', 'fastapi', 'django'],
    command: (server, port) => {
      const app = `${server.replace('-', '_')}:app`
      return server.startsWith('fastapi')
        ? [bin('uvicorn'), '--log-level', 'error', '--port', String(port), app]
        : [bin('gunicorn'), '--workers', '2', '--threads', '8', '--bind', `127.0.0.1:${port}`, app]
    },
  },
  go: {
    needs: ['go', 'version'],
    install: () => run(folder('go'), ['go', 'build', '-o', 'store', '.']),
    frameworks: ['chi', 'gin'],
    command: server => [join(folder('go'), 'store'), server],
  },
}

const verified = (port: number): Promise<Ledger> =>
  verify({ target: `http://127.0.0.1:${port}`, token, seed: 1, strict: true, waitSeconds: 30 })

const proxies: Readonly<Record<string, (port: number, upstream: number) => Command>> = {
  nginx: (port, upstream) => {
    const file = join(cache, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; pid ${cache}/nginx.pid; error_log /dev/null; events {}
       http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${cache}/nginx-${name};`).join(' ')}
       server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`,
    )
    return ['nginx', '-c', file]
  },
  haproxy: (port, upstream) => {
    const file = join(cache, 'haproxy.cfg')
    writeFileSync(
      file,
      `defaults
  mode http
  # Without this it loses a request now and then that it sends as gunicorn closes an idle connection.
  retry-on conn-failure empty-response
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen store
  bind 127.0.0.1:${port}
  server one 127.0.0.1:${upstream}
`,
    )
    return ['haproxy', '-db', '-f', file]
  },
}

const findingsOf = ({ findings }: Ledger): readonly string[] =>
  findings.map(({ obligation }) => obligation).toSorted()

const expectedFile = join(sources, 'expected.json')
const expected: Record<string, readonly string[]> = existsSync(expectedFile)
  ? JSON.parse(readFileSync(expectedFile, 'utf8'))
  : {}

const checkNaive = async (framework: string, port: number, write: boolean): Promise<void> => {
  const ledger = await verified(port)
  const found = findingsOf(ledger)
  if (write) expected[framework] = found
  const known = expected[framework] ?? []
  const more = found.filter(id => !known.includes(id))
  const missing = known.filter(id => !found.includes(id))
  const isRight = more.length + missing.length === 0 && ledger.findings.every(({ hint }) => hint !== '')
  const difference = [...more.map(id => `more: ${id}`), ...missing.map(id => `missing: ${id}`)]
  report(`${framework}, naive`, isRight, [`${found.length} findings`, ...difference].join('\n  '))
}

const checkHardened = async (name: string, port: number): Promise<void> => {
  for (const time of ['first', 'second']) {
    const ledger = await verified(port)
    const found = ledger.findings.map(({ obligation, actual }) => `${obligation}: ${actual}`)
    report(
      `${name}, ${time} run`,
      ledger.end?.conclusion === 'conformant',
      [`${ledger.end?.conclusion}`, ...found].join('\n  '),
    )
  }
}

/** Checks the stores of these frameworks. `write`: record what the naive ones show. */
export const checkStores = async (
  isChosen: (framework: string) => boolean,
  write: boolean,
): Promise<void> => {
  for (const [toolchain, { needs, install, frameworks, command }] of Object.entries(toolchains)) {
    const chosen = frameworks.filter(isChosen)
    if (chosen.length === 0) continue
    if (!has(needs)) {
      console.log(`left out: ${chosen.join(', ')} (there is no ${toolchain})`)
      continue
    }
    const cwd = folder(toolchain)
    mkdirSync(cwd, { recursive: true })
    cpSync(join(sources, toolchain), cwd, { recursive: true })
    install()
    for (const framework of chosen) {
      await withStore(`${framework}-naive`, cwd, command, port => checkNaive(framework, port, write))
      await withStore(`${framework}-hardened`, cwd, command, port => checkBehindProxies(framework, cwd, port))
    }
  }
  if (write) writeFileSync(expectedFile, `${JSON.stringify(expected, null, 2)}\n`)
}

const withStore = async (
  store: string,
  cwd: string,
  command: Toolchain['command'],
  use: (port: number) => Promise<void>,
): Promise<void> => {
  const port = await freePort()
  const env = { PORT: String(port), STORE_TOKEN: token }
  await during(command(store, port), { cwd, env }, () => use(port))
}

const checkBehindProxies = async (framework: string, cwd: string, port: number): Promise<void> => {
  await checkHardened(`${framework}, hardened`, port)
  for (const [proxy, start] of Object.entries(proxies)) {
    if (!has([proxy, '-v'])) {
      console.log(`left out: ${framework} behind ${proxy}, which is not installed`)
      continue
    }
    const front = await freePort()
    await during(start(front, port), { cwd }, () => checkHardened(`${framework} behind ${proxy}`, front))
  }
}
