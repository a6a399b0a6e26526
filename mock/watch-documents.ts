import { statSync } from 'node:fs'
import { watch } from 'chokidar'
import { DocumentError, isNetwork, loadContract, problemLine } from '../spec/index.ts'
import { changesOf } from './changes.ts'
import type { Assemble, Served, Serving, Source } from './documents.ts'
import type { Engine } from './engine.ts'
import { OptionError } from './option-error.ts'

/** How long files must have been quiet before they are read, in milliseconds: editors write in several steps. */
const quiet = 50

export type WatchOptions = {
  readonly sources: readonly Source[]
  readonly networkRefs: boolean
  readonly assemble: Assemble
  readonly warn: (message: string) => void
}

type File = { readonly prefix: string; readonly from: string }

/** A document as it was last read, and what its files were then, by their paths. */
type Reading = Served & { readonly source: File; readonly files: ReadonlyMap<string, string> }

/**
 * Serves the documents as they are in their files, each with all the files that it refers to, whenever these change. While
 * one is not a usable contract, the last one that was is served. Throws what loading throws at the start, and OptionError
 * where a document is no file.
 */
export const watchDocuments = async ({
  sources,
  networkRefs,
  assemble,
  warn,
}: WatchOptions): Promise<Serving> => {
  const first = async (source: File): Promise<Reading> => {
    const { files, contract } = await read(source.from, networkRefs)
    if (contract instanceof Error) throw contract
    return { source, prefix: source.prefix, contract, files, problem: null }
  }
  let readings: readonly Reading[] = await Promise.all(sources.map(source => first(fileOf(source))))
  let engine: Engine = await assemble(readings)

  /** Reads what has changed. Of a document that changes meanwhile nothing is said: it is read again. */
  const reload = async (): Promise<void> => {
    const next = await Promise.all(readings.map(reading => (isStale(reading) ? again(reading) : reading)))
    const settled = next.map((reading, index) => (isStale(reading) ? (readings[index] as Reading) : reading))
    if (settled.every((reading, index) => reading === readings[index])) return
    const isNew = settled.some(({ contract }, index) => contract !== readings[index]?.contract)
    const problem = isNew ? await assembled(settled) : null
    const before = readings
    readings =
      problem === null
        ? settled
        : settled.map((reading, index) => ({
            ...reading,
            contract: before[index]?.contract ?? reading.contract,
            problem: reading.contract === before[index]?.contract ? reading.problem : problem,
          }))
    for (const [index, reading] of readings.entries()) tell(before[index] as Reading, reading)
  }

  const again = async (before: Reading): Promise<Reading> => {
    const { files, contract } = await read(before.source.from, networkRefs)
    if (!(contract instanceof Error)) return { ...before, contract, files, problem: null }
    return { ...before, files, problem: lineOf(contract) }
  }

  const assembled = async (documents: readonly Served[]): Promise<string | null> => {
    try {
      engine = await assemble(documents)
      return null
    } catch (error) {
      return (error as Error).message
    }
  }

  const tell = (before: Reading, { contract, problem, source }: Reading): void => {
    if (problem !== null) {
      if (problem !== before.problem) warn(`${problem}; the last good document is still served`)
    } else if (before.problem !== null || contract.digest !== before.contract.digest)
      warn(`${contract.source || source.from} is read again: ${changesOf(before.contract, contract)}`)
  }

  const close = await follow(() => readings.flatMap(({ files }) => [...files.keys()]), reload, warn)
  return { engine: request => engine(request), documents: () => readings, close }
}

const fileOf = ({ prefix, from }: Source): File => {
  if (typeof from !== 'string')
    throw new OptionError('a contract in memory cannot be watched: give the path of its document')
  if (isNetwork(from))
    throw new OptionError(`${from} cannot be watched, only files can: save it as one, or leave --watch out`)
  return { prefix, from }
}

const read = async (from: string, networkRefs: boolean) => {
  const files = new Map<string, string>()
  const reads = (path: string): void => {
    if (!files.has(path)) files.set(path, stampOf(path))
  }
  const contract = await loadContract({ from, networkRefs, reads }).catch((error: unknown) => error as Error)
  return { files, contract }
}

/** What tells one state of a file from another. */
const stampOf = (path: string): string => {
  const file = statSync(path, { throwIfNoEntry: false, bigint: true })
  return file === undefined ? 'none' : `${file.ino} ${file.size} ${file.mtimeNs}`
}

const isStale = ({ files }: Reading): boolean => [...files].some(([path, stamp]) => stampOf(path) !== stamp)

const lineOf = (error: Error): string => {
  if (!(error instanceof DocumentError)) return error.message
  const [first, ...others] = error.problems.map(problemLine)
  return others.length === 0 ? `${first}` : `${first} (and ${others.length} more)`
}

/** Calls `changed` when files have changed and are quiet again; one call at a time. Gives the end of it. */
const follow = async (
  paths: () => readonly string[],
  changed: () => Promise<void>,
  warn: (message: string) => void,
): Promise<() => Promise<void>> => {
  // Files that were there from the start are heard of as well: they may have changed before they were watched.
  const watcher = watch([...new Set(paths())], { ignoreInitial: false, atomic: false })
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    await changed().catch((error: Error) => warn(`the documents could not be read again: ${error.message}`))
    if (!watcher.closed) watcher.add([...new Set(paths())])
  }
  const hear = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(look)
    }, quiet)
  }
  watcher.on('all', hear)
  watcher.on('error', error => warn(`a document cannot be watched: ${(error as Error).message}`))
  await new Promise<void>(resolve => watcher.once('ready', resolve))
  return async () => {
    if (timer !== null) clearTimeout(timer)
    await watcher.close()
    await running
  }
}
