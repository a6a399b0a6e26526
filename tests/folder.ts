import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'plantstore-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** An empty folder of its own, which is gone when the tests of the file are done. */
export const emptyFolder = (): string => mkdtempSync(join(root, 'folder-'))

/** The name and text of every file in a folder and those below it. */
export const filesIn = (folder: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')])
