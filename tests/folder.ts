import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'plantstore-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** An empty folder of its own, which is gone when the tests of the file are done. */
export const emptyFolder = (): string => mkdtempSync(join(root, 'folder-'))
