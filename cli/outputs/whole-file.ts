import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Writes a file beside its place and moves it there, so that it is never seen half-written. Throws if it cannot be written. */
export const writeWhole = (path: string, text: string | Uint8Array): void => {
  const part = `${path}.${process.pid}.part`
  try {
    writeFileSync(part, text)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
