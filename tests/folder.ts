import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let root: string | null = null

/** A new empty folder. It is gone when the tests of the file are done. */
export const emptyFolder = (): string => {
  root ??= mkdtempSync(join(tmpdir(), 'plantstore-test-'))
  return mkdtempSync(join(root, 'folder-'))
}

export const removeFolders = (): void => {
  if (root !== null) rmSync(root, { recursive: true, force: true })
  root = null
}

/** The name and text of every file in a folder and those below it. */
export const filesIn = (folder: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')])
