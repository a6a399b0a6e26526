import { closeSync, openSync, readSync } from 'node:fs'
import { isMap, isScalar, isSeq } from 'yaml'
import { parseYaml, repeatedKeys, syntaxProblem, yamlValue } from '../../spec/index.ts'
import { UsageError } from '../process/exit.ts'

/** A YAML or JSON file as a value, with the line of each place in it. */
export type YamlFile = {
  readonly file: string
  readonly value: unknown
  /** The file and line of the last of these steps that exists: `waivers.yaml:12`. */
  readonly at: (path: readonly (string | number)[]) => string
}

/** In bytes, and in what can stand before a value, which takes a kilobyte of memory: what people write and review is far smaller. */
const most = { bytes: 8 * 2 ** 20, marks: 250_000 } as const
const marks = '\n,:[{'

/** Reads a file; `what` is its name in messages, such as `the waivers`. Throws UsageError, with the line if it is known. */
export const readYamlFile = (file: string, what: string): YamlFile => {
  const rejection = (reason: string): UsageError =>
    new UsageError(`${what} in ${file} cannot be read: ${reason}`)
  const trying = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw rejection((error as Error).message)
    }
  }
  const yaml = trying(() => parseYaml(textOf(file)))
  const { document, lines } = yaml
  const problem = syntaxProblem(yaml) ?? repeatedKeys(yaml)[0]
  if (problem !== undefined) throw rejection(`line ${problem.line}: ${problem.message}`)
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
  return { file, value: trying(() => yamlValue(yaml)), at }
}

/** Reads no more than the limit: a file may be a pipe or a device without end. */
const textOf = (file: string): string => {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(most.bytes + 1)
    let size = 0
    for (let read = -1; read !== 0 && size <= most.bytes; size += read)
      read = readSync(descriptor, bytes, size, bytes.length - size, null)
    if (size > most.bytes) throw new Error(`it is larger than ${most.bytes / 2 ** 20} MiB`)
    const text = bytes.toString('utf8', 0, size)
    let found = 0
    for (const char of text) if (marks.includes(char)) found += 1
    if (found > most.marks) throw new Error(`it has more than ${most.marks} values`)
    return text
  } finally {
    closeSync(descriptor)
  }
}
