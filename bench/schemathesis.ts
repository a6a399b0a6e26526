import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const version = '4.32.5'
const folder = fileURLToPath(new URL(`../node_modules/.cache/schemathesis-${version}`, import.meta.url))

/** The path of Schemathesis, installed for the benchmark only; or the reason why it is missing. */
export const findSchemathesis = (): { readonly program: string } | { readonly missing: string } => {
  const program = `${folder}/bin/schemathesis`
  if (existsSync(program)) return { program }
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [`${folder}/bin/pip`, 'install', '--quiet', `schemathesis==${version}`],
  ] as const) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0)
      return { missing: `${command} failed: ${(error?.message ?? stderr).trim().split('\n').at(-1)}` }
  }
  return { program }
}
