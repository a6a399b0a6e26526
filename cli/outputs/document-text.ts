import { setImmediate } from 'node:timers/promises'
import { safeLines } from '../../spec/index.ts'
import { print } from '../process/terminal.ts'

/** Prints text that has names of a document in it: they must not act in a terminal. JSON is for programs, and printed as it is. */
export const printDocumentText = (text: string, format: string): void =>
  print(format === 'json' ? text : safeLines(text).join('\n'))

/** Prints such a text in parts, each at once: a list of a hundred thousand lines is never held whole. Ends with its reader. */
export const printDocumentParts = (parts: Iterable<string>, format: string): Promise<void> =>
  printParts(format === 'json' ? parts : safeParts(parts))

function* safeParts(parts: Iterable<string>): Generator<string> {
  for (const part of parts) yield safeLines(part).join('\n')
}

/** Prints a text in parts as it is, as fast as its reader takes it. */
export const printParts = async (parts: Iterable<string>): Promise<void> => {
  let hasReader = true
  process.stdout.once('error', () => {
    hasReader = false
  })
  for (const part of parts) {
    const isTaken = process.stdout.write(part)
    // A reader that has left is noticed only in a pause.
    await (isTaken ? setImmediate() : drained(process.stdout))
    if (!hasReader) return
  }
}

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      stream.off('drain', end).off('error', end)
      resolve()
    }
    stream.on('drain', end).on('error', end)
  })

/** JSON on one line, in ASCII: a terminal or a log collector cannot read it wrongly. */
export const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
