import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The script of an npm package, installed for the benchmark only; or the reason why it is missing. */
export const findPeer = (
  name: string,
  version: string,
  entry: string,
): { readonly script: string } | { readonly missing: string } => {
  const cache = `../node_modules/.cache/${name.replace('/', '-')}-${version}`
  const folder = fileURLToPath(new URL(cache, import.meta.url))
  const script = `${folder}/node_modules/${name}/${entry}`
  if (existsSync(script)) return { script }
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${version}`],
    { encoding: 'utf8' },
  )
  return status === 0 && existsSync(script)
    ? { script }
    : { missing: (error?.message ?? stderr).trim().split('\n').at(-1) ?? 'it cannot be installed' }
}
