/**
 * Verifies plant stores in eight frameworks: as their defaults have them, and hardened. A hardened one has to be conformant, strictly and
 * twice in a row, also behind nginx and HAProxy; a naive one has to show the faults of `frameworks/expected.json` and no other.
 *
 *     node bench/frameworks.ts [--write] [name…]
 *
 * Installs what it needs by npm, pip and go into `node_modules/.cache/frameworks`; what has no toolchain is left out. `--write` records
 * what the naive ones show.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { verify } from '../conformance/index.ts'
import type { Ledger } from '../spec/index.ts'

const sources = fileURLToPath(new URL('frameworks', import.meta.url))
const cache = fileURLToPath(new URL('../node_modules/.cache/frameworks', import.meta.url))
const token = 'Fern-4b8dE1-Shed'

type Command = readonly [program: string, ...args: string[]]

type Toolchain = {
  readonly needs: Command
  readonly install: () => void
  readonly frameworks: readonly string[]
  readonly command: (server: string, port: number) => Command
}

const bin = (name: string): string => join(cache, 'python/venv/bin', name)
const run = (cwd: string, [program, ...args]: Command): void => {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

const toolchains: Readonly<Record<string, Toolchain>> = {
  node: {
    needs: [process.execPath, '--version'],
    install: () => run(join(cache, 'node'), ['npm', 'install', '--no-audit', '--no-fund', '--silent']),
    frameworks: ['express', 'koa', 'hono'],
    command: server => [process.execPath, join(cache, 'node', `${server}.mjs`)],
  },
  python: {
    needs: ['python3', '-m', 'venv', '--help'],
    install: () => {
      if (!existsSync(bin('pip'))) run(join(cache, 'python'), ['python3', '-m', 'venv', 'venv'])
      run(join(cache, 'python'), [bin('pip'), 'install', '--quiet', '--requirement', 'requirements.txt'])
    },
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
    install: () => run(join(cache, 'go'), ['go', 'build', '-o', 'store', '.']),
    frameworks: ['chi', 'gin'],
    command: server => [join(cache, 'go/store'), server],
  },
}

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

/** Starts a process, and ends it after `use`. */
const during = async <T>(
  [program, ...args]: Command,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
  use: () => Promise<T>,
): Promise<T> => {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'ignore',
  })
  try {
    return await use()
  } finally {
    const ended = new Promise(resolve => child.once('exit', resolve))
    if (child.kill()) await ended
  }
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

const has = ([program, ...args]: Command): boolean => spawnSync(program, args).error === undefined

const findingsOf = ({ findings }: Ledger): readonly string[] =>
  findings.map(({ obligation }) => obligation).toSorted()

const expectedFile = join(sources, 'expected.json')
const expected: Record<string, readonly string[]> = existsSync(expectedFile)
  ? JSON.parse(readFileSync(expectedFile, 'utf8'))
  : {}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})

let failures = 0
const report = (name: string, isRight: boolean, text: string): void => {
  if (!isRight) failures += 1
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${name.padEnd(28)} ${text}`)
}

const checkNaive = async (framework: string, port: number): Promise<void> => {
  const ledger = await verified(port)
  const found = findingsOf(ledger)
  if (values.write) expected[framework] = found
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

mkdirSync(cache, { recursive: true })
for (const [toolchain, { needs, install, frameworks, command }] of Object.entries(toolchains)) {
  const chosen = frameworks.filter(name => positionals.length === 0 || positionals.includes(name))
  if (chosen.length === 0) continue
  if (!has(needs)) {
    console.log(`left out: ${chosen.join(', ')} (there is no ${toolchain})`)
    continue
  }
  const cwd = join(cache, toolchain)
  cpSync(join(sources, toolchain), cwd, { recursive: true })
  install()
  for (const framework of chosen)
    for (const state of ['naive', 'hardened']) {
      const port = await freePort()
      const env = { PORT: String(port), STORE_TOKEN: token }
      await during(command(`${framework}-${state}`, port), { cwd, env }, async () => {
        if (state === 'naive') return checkNaive(framework, port)
        await checkHardened(`${framework}, hardened`, port)
        for (const [proxy, start] of Object.entries(proxies)) {
          if (!has([proxy, '-v'])) {
            console.log(`left out: ${framework} behind ${proxy}, which is not installed`)
            continue
          }
          const front = await freePort()
          await during(start(front, port), { cwd }, () =>
            checkHardened(`${framework} behind ${proxy}`, front),
          )
        }
      })
    }
}
if (values.write) writeFileSync(expectedFile, `${JSON.stringify(expected, null, 2)}\n`)
process.exitCode = failures === 0 ? 0 : 1
