import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { inBatches } from '../../reports/index.ts'

/**
 * Writes a file beside its place and moves it there, so that it is never seen half-written; parts come one after the other, and are
 * never held all at once. Throws if it cannot be written.
 */
export const writeWhole = (path: string, content: Uint8Array | Iterable<string>): void => {
  const part = `${path}.${process.pid}.part`
  try {
    writeContent(part, content)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Writes a file that nobody else reads meanwhile. Throws if it cannot be written. */
export const writeContent = (path: string, content: Uint8Array | Iterable<string>): void => {
  const file = openSync(path, 'w')
  try {
    for (const piece of content instanceof Uint8Array ? [content] : inBatches(content))
      writeFileSync(file, piece)
  } finally {
    closeSync(file)
  }
}
