import { readFileSync } from 'node:fs'
import type { TokenSource } from '../../../conformance/index.ts'
import { UsageError } from '../../process/exit.ts'
import { oneToken } from './one-token.ts'

/** Seconds between two looks into the file: who writes it anew, as Kubernetes does, tells nobody. */
const checkAfter = 1

/** A file that holds the token. Throws UsageError. */
export const fileSource =
  (file: string, flag = '--token-file'): TokenSource =>
  () => {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      throw new UsageError(`${flag} ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
    return { token: oneToken(`${flag} ${file} holds`, text), checkAfter }
  }
