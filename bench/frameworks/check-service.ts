import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verify } from '../../conformance/index.ts'
import type { Finding } from '../../spec/index.ts'
import { cache, during, freePort, has, report, sources } from './processes.ts'
import type { Service } from './services.ts'

/** What was judged by hand: which findings, and why they are true, or why they are not and what has to change. `*` stands for any text. */
type Judged = {
  readonly obligation: string
  readonly title: string
  readonly true?: string
  readonly false?: string
  /** Whether ten seeds may not find it. */
  readonly rare?: boolean
}

type Found = { readonly finding: Finding; readonly seed: number; readonly strict: boolean }

/**
 * Verifies a service with each seed, by default and strictly, started anew for each run. Every finding has to be listed in `judged.json`,
 * and with `isWhole` every line of the list that is not about chance has to be found.
 */
export const checkService = async (
  name: string,
  service: Service,
  seeds: readonly number[],
  isWhole: boolean,
): Promise<void> => {
  const missing = service.needs.filter(command => !has(command)).map(([program]) => program)
  if (missing.length > 0) {
    console.log(`left out: ${name} (there is no ${missing.join(' and no ')})`)
    return
  }
  const folder = installed(name, service)
  const found: Found[] = []
  for (const seed of seeds)
    for (const strict of [false, true])
      for (const finding of await findingsOf(name, folder, service, seed, strict))
        found.push({ finding, seed, strict })
  writeFileSync(join(folder, 'found.json'), JSON.stringify(found.map(shown), null, 1))
  const judged: readonly Judged[] = JSON.parse(
    readFileSync(join(sources, 'services', name, 'judged.json'), 'utf8'),
  )
  const unlisted = found.filter(({ finding }) => !judged.some(line => fits(line, finding)))
  // What fails now and then may not fail in ten runs either.
  const steady = isWhole
    ? judged.filter(({ title, rare }) => rare !== true && !title.startsWith('sometimes '))
    : []
  const absent = steady.filter(line => !found.some(({ finding }) => fits(line, finding)))
  const differences = [
    ...new Set(unlisted.map(({ finding }) => `more: ${finding.title} (${finding.obligation})`)),
    ...absent.map(({ title, obligation }) => `missing: ${title} (${obligation})`),
  ]
  const counts = new Set(found.map(({ finding }) => `${finding.title} ${finding.obligation}`)).size
  report(
    `${name}, ${seeds.length} seeds`,
    differences.length === 0,
    [`${counts} findings`, ...differences].join('\n  '),
  )
}

/** Copies the sources and installs, unless these very sources are installed. */
const installed = (name: string, { install }: Service): string => {
  const from = join(sources, 'services', name)
  const folder = join(cache, name)
  const hash = createHash('sha256')
  for (const file of readdirSync(from, { recursive: true, withFileTypes: true }))
    if (file.isFile() && file.name !== 'judged.json')
      hash.update(file.name).update(readFileSync(join(file.parentPath, file.name)))
  const sum = hash.digest('hex')
  const stamp = join(folder, '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sum) return folder
  mkdirSync(folder, { recursive: true })
  cpSync(from, folder, { recursive: true })
  install(folder)
  writeFileSync(stamp, sum)
  return folder
}

const findingsOf = async (
  name: string,
  cwd: string,
  service: Service,
  seed: number,
  strict: boolean,
): Promise<readonly Finding[]> => {
  const port = await freePort()
  const target = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), NODE_ENV: 'production' }
  return during(service.command(cwd, port), { cwd, env }, async () => {
    const contract = join(cwd, 'openapi.json')
    writeFileSync(contract, await documentAt(name, `${target}${service.document}`))
    const credentials = service.token ?? 'secret-token'
    // The service is thrown away, so whatever may destroy something is sent as well.
    const ledger = await verify({ target, contract, token: credentials, seed, strict, include: ['*'] })
    return ledger.findings
  })
}

const documentAt = async (name: string, url: string): Promise<string> => {
  const end = Date.now() + 60_000
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.ok === true) return response.text()
    if (Date.now() > end) throw new Error(`${name} gave no document within 60 s: ${url}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const shown = ({ finding, seed, strict }: Found): object => {
  const { title, obligation, level, expected, actual, also, hint, repeat, curl } = finding
  return { seed, strict, level, title, obligation, expected, actual, also, hint, repeat, curl }
}

const fits = (line: Judged, finding: Finding): boolean =>
  isLike(line.obligation, finding.obligation) && isLike(line.title, finding.title)

const isLike = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.split('*').map(RegExp.escape).join('[^]*')}$`).test(text)
