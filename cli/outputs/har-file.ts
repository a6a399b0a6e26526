import { closeSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { createHarStream, type HarOptions } from '../../reports/index.ts'
import type { SentExchange } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'
import { say } from '../process/terminal.ts'

/** Browsers and editors read HAR files whole, and cannot open larger ones. */
const defaultLimit = 256 * 1024 * 1024
/** Entries are written so many bytes at a time, or after so many milliseconds. */
const chunk = 512 * 1024
const patience = 1000

export type HarFile = {
  readonly add: (exchange: SentExchange) => void
  /** Writes the end, and whether exchanges were left out; returns the problems, one line each. */
  readonly finish: () => readonly string[]
}

/** Opens a HAR file, which is valid at any moment, so that a killed process leaves it whole. Throws UsageError. */
export const openHar = (
  file: string,
  { limit = defaultLimit, ...options }: Omit<HarOptions, 'limit'> & { readonly limit?: number },
): HarFile => {
  const stream = createHarStream({ ...options, limit })
  if (isOfOthers(file, options.product.name))
    throw new UsageError(
      `${file} was not recorded by this tool, and would be overwritten: choose another file with --har, or judge it with plantstore judge ${file}`,
    )
  let handle: number
  try {
    handle = openSync(file, 'w')
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another with --har`,
    )
  }
  let waiting = stream.head
  let written = 0
  let problem: string | null = null
  let timer: NodeJS.Timeout | undefined
  // Each time the end is written as well, and overwritten the next time.
  const flush = (whole: boolean): void => {
    clearTimeout(timer)
    timer = undefined
    if (problem !== null) return
    try {
      const bytes = Buffer.from(waiting)
      const end = Buffer.concat([bytes, Buffer.from(stream.tail(whole))])
      for (let done = 0; done < end.length; )
        done += writeSync(handle, end, done, end.length - done, written + done)
      ftruncateSync(handle, written + end.length)
      written += bytes.length
      waiting = ''
    } catch (error) {
      problem = `${file} could not be written to its end: ${(error as Error).message}`
      waiting = ''
    }
  }
  flush(false)
  return {
    add: exchange => {
      if (problem !== null) return
      waiting += stream.entry(exchange)
      if (waiting.length > chunk) flush(false)
      else timer ??= setTimeout(flush, patience, false).unref()
    },
    finish: () => {
      flush(true)
      closeSync(handle)
      const leftOut = stream.leftOut()
      if (leftOut > 0)
        say(
          `${file} holds no more than ${limit / 1024 / 1024} MiB: ${leftOut.toLocaleString('en-US')} later exchanges are left out`,
        )
      return problem === null ? [] : [problem]
    },
  }
}

/** Whether there is a HAR file of a browser or another tool. */
const isOfOthers = (file: string, ownName: string): boolean => {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
  const { buffer, bytesRead } = beginningOf(file)
  const beginning = buffer.toString('utf8', 0, bytesRead)
  return beginning.includes('"log"') && !beginning.includes(`"name":"${ownName}"`)
}

const beginningOf = (file: string): { readonly buffer: Buffer; readonly bytesRead: number } => {
  const buffer = Buffer.alloc(4096)
  const handle = openSync(file, 'r')
  try {
    return { buffer, bytesRead: readSync(handle, buffer) }
  } finally {
    closeSync(handle)
  }
}
