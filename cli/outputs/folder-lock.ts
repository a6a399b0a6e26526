import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../process/exit.ts'

/** Releases a folder. */
export type Release = () => void

/** Keeps other runs out of a folder. Throws UsageError if one is in it. A lock whose process has gone counts for nothing. */
export const lockFolder = (folder: string): Release => {
  const file = join(folder, '.plantstore.lock')
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      const release = (): void => {
        process.off('exit', release)
        rmSync(file, { force: true })
      }
      process.on('exit', release)
      return release
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = ownerOf(file)
    if (owner !== null && isRunning(owner))
      throw new UsageError(
        `the output folder ${folder} is in use by another run (process ${owner}): choose another with --out`,
      )
    rmSync(file, { force: true })
  }
}

/** The process that a lock names; null if it names none, or has just gone. */
const ownerOf = (file: string): number | null => {
  try {
    return Number(readFileSync(file, 'utf8')) || null
  } catch {
    return null
  }
}

/** Whether a process is running, whoever owns it. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
