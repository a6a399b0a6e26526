import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inBatches } from '../../reports/index.ts'
import { UsageError } from '../process/exit.ts'

/**
 * Writes a file beside its place and moves it there, so that it is never seen half-written, and whoever ends the process leaves the old
 * one or the new one; parts come one after the other, and are never held all at once. Throws if it cannot be written.
 */
export const writeWhole = (path: string, content: Uint8Array | Iterable<string>): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  // Nothing can take the place of a pipe or a device.
  if (found !== undefined && !found.isFile()) {
    writeContent(path, content)
    return
  }
  const place = found === undefined ? path : realpathSync(path)
  const part = `${place}.${process.pid}.part`
  try {
    writeContent(part, content)
    renameSync(part, place)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Whether a file beside the place of another is what a process left that was ended while it wrote that. */
export const isRestOf = (name: string, of: string): boolean =>
  name.startsWith(of) && /^\.\d+\.part$/.test(name.slice(of.length))

/** Removes what processes left that were ended while they wrote a file; what cannot be listed or removed stays. */
export const removeRestsOf = (path: string): void => {
  const folder = dirname(path)
  try {
    for (const name of readdirSync(folder))
      if (isRestOf(name, basename(path)) && !isRunning(Number(name.split('.').at(-2))))
        rmSync(join(folder, name), { force: true })
  } catch {
    // The file itself is written.
  }
}

const writeContent = (path: string, content: Uint8Array | Iterable<string>): void => {
  const file = openSync(path, 'w')
  try {
    for (const piece of content instanceof Uint8Array ? [content] : inBatches(content))
      writeFileSync(file, piece)
  } finally {
    closeSync(file)
  }
}

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
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
