import { safeLines } from '../../reports/index.ts'
import { print } from '../process/terminal.ts'

/** Prints text that has names of a document in it: they must not act in a terminal. JSON is for programs, and printed as it is. */
export const printDocumentText = (text: string, format: string): void =>
  print(format === 'json' ? text : safeLines(text).join('\n'))
