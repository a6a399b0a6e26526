import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, has, run, venv } from '../frameworks/processes.ts'

/** Where the products are installed, and stay for the next run. */
const cache = join(tmpdir(), 'plantstore-services')

/** A product as its package registry has it. */
export type Package = {
  /** The names and versions that are asked for. */
  readonly names: string
  /** Programs that it takes. */
  readonly needs: readonly Command[]
  readonly install: (folder: string) => void
}

/** Packages of PyPI, in a virtual environment. */
export const fromPyPi = (...names: readonly string[]): Package => ({
  names: names.join(', '),
  needs: [['python3', '-m', 'venv', '--help']],
  install: folder => {
    run(folder, ['python3', '-m', 'venv', 'venv'])
    run(folder, [venv(folder, 'pip'), 'install', '--quiet', ...names])
  },
})

/** Packages of Debian, unpacked below `root` and not installed on the system; what they depend on has to be named as well. */
export const fromDebian = (...names: readonly string[]): Package => ({
  names: names.join(', '),
  needs: [
    ['apt-get', '--version'],
    ['dpkg-deb', '--version'],
  ],
  install: folder => {
    run(folder, ['apt-get', 'download', '-qq', ...names])
    run(folder, ['sh', '-c', 'for each in *.deb; do dpkg-deb -x "$each" root || exit 1; done'])
  },
})

/** The program that a Go package builds. */
export const fromGo = (name: string): Package => ({
  names: name,
  needs: [['go', 'version']],
  install: folder => run(folder, ['env', `GOBIN=${folder}`, 'CGO_ENABLED=0', 'go', 'install', name]),
})

/** The files of a Go module; `module` is a link to them. */
export const fromGoModule = (name: string): Package => ({
  names: name,
  needs: [['go', 'version']],
  install: folder => {
    const download = 'go mod download -json "$0" | sed -n \'s/^.*"Dir": "\\(.*\\)".*$/\\1/p\''
    run(folder, ['sh', '-c', `ln -sfn "$(${download})" module`, name])
  },
})

/** The file of a Maven artifact. */
export const fromMaven = (artifact: string): Package => ({
  names: artifact,
  needs: [
    ['mvn', '--version'],
    ['java', '-version'],
  ],
  install: folder =>
    run(folder, [
      ...(['mvn', '--quiet', '--batch-mode', 'dependency:copy'] as const),
      ...[`-Dartifact=${artifact}`, '-DoutputDirectory=.'],
    ]),
})

/** Installs a product, unless these very packages are installed; gives its folder, or what is missing on this machine. */
export const installed = (
  name: string,
  packages: readonly Package[],
): { readonly folder: string } | { readonly missing: string } => {
  const absent = packages.flatMap(({ needs }) => needs).filter(command => !has(command))
  if (absent.length > 0)
    return { missing: `there is no ${absent.map(([program]) => program).join(' and no ')}` }
  const folder = join(cache, name)
  const stamp = join(folder, '.installed')
  const names = namesOf(packages)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === names) return { folder }
  process.stderr.write(`${name}: installs ${names}\n`)
  mkdirSync(folder, { recursive: true })
  try {
    for (const { install } of packages) install(folder)
  } catch (error) {
    return { missing: `its packages cannot be installed: ${String(error).split('\n')[0]}` }
  }
  writeFileSync(stamp, names)
  return { folder }
}

export const namesOf = (packages: readonly Package[]): string => packages.map(({ names }) => names).join(', ')
