import { spawn, spawnSync } from 'node:child_process'

/**
 * The command in namespaces of its own. It reaches nothing but its own loopback, whatever address a product is given, and whatever a
 * product has started ends when the command does.
 */
const wrap = (command: readonly string[]): readonly string[] => [
  ...['--map-root-user', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'],
  ...['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command],
]

/** Why no command can be isolated here; null if it can. */
export const whyNotIsolated = (): string | null => {
  const { status, error, stderr } = spawnSync('unshare', wrap(['true']), { encoding: 'utf8' })
  return status === 0
    ? null
    : `unshare and ip are needed to keep a product on the loopback: ${error?.message ?? stderr.trim()}`
}

/** Runs a command in isolation; gives its exit code. */
export const isolated = (command: readonly string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn('unshare', wrap(command), { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', resolve)
  })
