import { readFileSync } from 'node:fs'
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { UsageError } from '../process/exit.ts'

/** A YAML or JSON file as a value, with the line of each place in it. */
export type YamlFile = {
  readonly file: string
  readonly value: unknown
  /** The file and line of the last of these steps that exists: `waivers.yaml:12`. */
  readonly at: (path: readonly (string | number)[]) => string
}

/** Reads a file; `what` is its name in messages, such as `the waivers`. Throws UsageError, with the line if it is known. */
export const readYamlFile = (file: string, what: string): YamlFile => {
  const lines = new LineCounter()
  const document = parseDocument(textOf(file, what), {
    schema: 'core',
    lineCounter: lines,
    prettyErrors: false,
  })
  const [error] = document.errors
  if (error !== undefined)
    throw new UsageError(
      `${what} in ${file} cannot be read: line ${lines.linePos(error.pos[0]).line}: ${error.message}`,
    )
  const at = (path: readonly (string | number)[]): string => {
    let node: unknown = document.contents
    let offset = 0
    for (const step of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        if (pair === undefined) break
        if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(step)]
        offset = (node as { range?: readonly number[] } | undefined)?.range?.[0] ?? offset
      } else break
    }
    return `${file}:${lines.linePos(offset).line}`
  }
  return { file, value: valueIn(document, file, what), at }
}

const textOf = (file: string, what: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${what} in ${file} cannot be read: ${(error as Error).message}`)
  }
}

// Fails if aliases expand to more than a file should hold.
const valueIn = (document: ReturnType<typeof parseDocument>, file: string, what: string): unknown => {
  try {
    return document.toJS() as unknown
  } catch (error) {
    throw new UsageError(`${what} in ${file} cannot be read: ${(error as Error).message}`)
  }
}
