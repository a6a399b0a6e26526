/** Runs before each test file, although a worker keeps its modules from file to file. */
import { afterAll } from 'vitest'
import { removeFolders } from './folder.ts'

// A folder with an installed package takes its time.
afterAll(removeFolders, 120_000)
