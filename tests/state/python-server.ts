import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { watch } from '../cli/command.ts'

const script = fileURLToPath(new URL('plants_server.py', import.meta.url))

export const hasPython = spawnSync('python3', ['--version']).status === 0

/** Faults of the server in Python, each with the obligation that has to find it. */
export const pythonFaults: readonly (readonly [fault: string, obligation: string])[] = [
  ['what is falsy is not stored', 'createPlant/state/stored'],
  ['texts are stripped', 'createPlant/state/stored'],
  ['a commit is forgotten', 'createPlant/state/read-back'],
  ['each property is stored when it was checked', 'changePlant/state/rejected'],
  ['lru_cache is not cleared', 'replacePlant/state/stored'],
]

/** Starts a server of plants in a process of its own. */
export const startPythonPlants = async (
  fault = '',
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> => {
  const child = spawn('python3', [script, fault], { stdio: ['pipe', 'pipe', 'pipe'] })
  const { ended, shows } = watch(child)
  const [, url = ''] = await shows(/listening on (http:\S+)/)
  return {
    url,
    close: async () => {
      child.stdin.end()
      await ended
    },
  }
}
