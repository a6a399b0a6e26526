import { statSync } from 'node:fs'
import { watch } from 'chokidar'
import {
  type Contract,
  DocumentError,
  isNetwork,
  loadContract,
  localReference,
  type Operation,
  problemLine,
  valueAt,
} from '../../spec/index.ts'
import type { ServedDocument } from '../engine/context.ts'
import { OptionError } from '../errors.ts'
import type { DocumentSource, ReadDocument, Serving, ServingOptions } from './documents.ts'

/** How long files must have been unchanged before they are read, in milliseconds: editors write in several steps. */
const quietMs = 50

type FileSource = { readonly prefix: string; readonly from: string }

/** A document as it was last read, and the state of each of its files at that time, by path. */
type Reading = ReadDocument & { readonly source: FileSource; readonly files: ReadonlyMap<string, string> }

/**
 * Reads the documents, and again whenever one of their files changes, with all the files that they refer to. While a
 * document is not a usable contract, its last usable version is served. Throws what loading throws at the start, and
 * OptionError if a document is not a file.
 */
export const watchDocuments = async ({ sources, refs, compile, warn }: ServingOptions): Promise<Serving> => {
  let readings: readonly Reading[] = await Promise.all(
    sources.map(source => firstReading(fileSource(source), refs)),
  )
  let documents = await compile(readings)

  /** Reads what has changed. A document that changes while it is read is left for the next time. */
  const reload = async (): Promise<void> => {
    const next = await Promise.all(
      readings.map(reading => (isStale(reading) ? readAgain(reading, refs) : reading)),
    )
    const settled = next.map((reading, index) => (isStale(reading) ? (readings[index] as Reading) : reading))
    if (settled.every((reading, index) => reading === readings[index])) return
    const before = readings
    const compiled = await recompiled(settled)
    readings = typeof compiled === 'string' ? withProblem(before, settled, compiled) : settled
    documents = (typeof compiled === 'string' ? documents : compiled).map((document, index) => ({
      ...document,
      problem: readings[index]?.problem ?? null,
    }))
    for (const [index, reading] of readings.entries()) report(before[index] as Reading, reading)
  }

  /** Compiles the contracts if one is new; the reason if they cannot be served. */
  const recompiled = async (settled: readonly Reading[]): Promise<readonly ServedDocument[] | string> => {
    if (settled.every(({ contract }, index) => contract === readings[index]?.contract)) return documents
    try {
      return await compile(settled)
    } catch (error) {
      return (error as Error).message
    }
  }

  const report = (before: Reading, { contract, problem, source }: Reading): void => {
    if (problem !== null) {
      if (problem !== before.problem) warn(`${problem}; the last usable version is still served`)
    } else if (before.problem !== null || contract.digest !== before.contract.digest)
      warn(`${contract.source || source.from} was read again: ${changesOf(before.contract, contract)}`)
  }

  const close = await follow(() => readings.flatMap(({ files }) => [...files.keys()]), reload, warn)
  return { documents: () => documents, close }
}

/** The earlier contracts, with the reason why new ones are not served. */
const withProblem = (
  before: readonly Reading[],
  settled: readonly Reading[],
  problem: string,
): readonly Reading[] =>
  settled.map((reading, index) => {
    const contract = before[index]?.contract ?? reading.contract
    return { ...reading, contract, problem: reading.contract === contract ? reading.problem : problem }
  })

const fileSource = ({ prefix, from }: DocumentSource): FileSource => {
  if (typeof from !== 'string')
    throw new OptionError('a contract in memory cannot be watched: give the path of its document')
  if (isNetwork(from))
    throw new OptionError(`${from} cannot be watched, only files can: save it as a file, or omit --watch`)
  return { prefix, from }
}

const firstReading = async (source: FileSource, refs: ServingOptions['refs']): Promise<Reading> => {
  const { files, contract } = await read(source.from, refs)
  if (contract instanceof Error) throw contract
  return { source, prefix: source.prefix, contract, files, problem: null }
}

const readAgain = async (before: Reading, refs: ServingOptions['refs']): Promise<Reading> => {
  const { files, contract } = await read(before.source.from, refs)
  if (contract instanceof Error) return { ...before, files, problem: lineOf(contract) }
  const problem = lostIn(before.contract, contract)
  return problem === null ? { ...before, files, contract, problem } : { ...before, files, problem }
}

/** Why a file cannot be read that could be read before; null if there is none. It may be half written, or removed by mistake. */
const lostIn = (before: Contract, { unresolved, warnings }: Contract): string | null => {
  const isNew = unresolved.some(reference => !before.unresolved.includes(reference))
  const lost = isNew ? warnings.find(({ message }) => message.includes('cannot be read')) : undefined
  return lost === undefined ? null : problemLine(lost)
}

const read = async (from: string, refs: ServingOptions['refs']) => {
  const files = new Map<string, string>()
  const reads = (path: string): void => {
    if (!files.has(path)) files.set(path, stateOf(path))
  }
  const contract = await loadContract({ ...refs, from, reads }).catch((error: unknown) => error as Error)
  return { files, contract }
}

/** A text that differs whenever the file has changed. */
const stateOf = (path: string): string => {
  const file = statSync(path, { throwIfNoEntry: false, bigint: true })
  return file === undefined ? 'none' : `${file.ino} ${file.size} ${file.mtimeNs}`
}

const isStale = ({ files }: Reading): boolean => [...files].some(([path, state]) => stateOf(path) !== state)

const lineOf = (error: Error): string => {
  if (!(error instanceof DocumentError)) return error.message
  const [first, ...others] = error.problems.map(problemLine)
  return others.length === 0 ? `${first}` : `${first} (and ${others.length} more)`
}

/** Calls `changed` once files have changed and are quiet again, one call at a time. Returns a function that ends it. */
const follow = async (
  paths: () => readonly string[],
  changed: () => Promise<void>,
  warn: (message: string) => void,
): Promise<() => Promise<void>> => {
  // Files that exist from the start raise events as well: they may have changed before the watcher saw them.
  const watcher = watch([...new Set(paths())], { ignoreInitial: false, atomic: false })
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> = Promise.resolve()
  const reload = async (): Promise<void> => {
    await changed().catch((error: Error) => warn(`cannot read the documents again: ${error.message}`))
    if (!watcher.closed) watcher.add([...new Set(paths())])
  }
  const schedule = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => {
      running = running.then(reload)
    }, quietMs)
  }
  watcher.on('all', schedule)
  watcher.on('error', error => warn(`cannot watch a document: ${(error as Error).message}`))
  await new Promise<void>(resolve => watcher.once('ready', resolve))
  return async () => {
    if (timer !== null) clearTimeout(timer)
    await watcher.close()
    await running
  }
}

const maxNames = 8

/** How the operations of two versions of a document differ: `added listPlants; changed createPlant`. */
const changesOf = (before: Contract, after: Contract): string => {
  const [old, now] = [textsOf(before), textsOf(after)]
  const parts = [
    listed(
      'added',
      [...now.keys()].filter(id => !old.has(id)),
    ),
    listed(
      'removed',
      [...old.keys()].filter(id => !now.has(id)),
    ),
    listed(
      'changed',
      [...now.keys()].filter(id => old.has(id) && old.get(id) !== now.get(id)),
    ),
  ].filter(part => part !== null)
  return parts.length === 0 ? 'no operation changed' : parts.join('; ')
}

const listed = (verb: string, ids: readonly string[]): string | null => {
  if (ids.length === 0) return null
  const rest = ids.length - maxNames
  return `${verb} ${ids.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const textsOf = (contract: Contract): ReadonlyMap<string, string> =>
  new Map(contract.operations.map(operation => [operation.id, textOf(contract, operation)]))

/** All that the document says of an operation, and of everything that the operation refers to. */
const textOf = ({ document }: Contract, operation: Operation): string => {
  const seen = new Map<string, string>()
  const roots: unknown[] = [
    ...operation.parameters.map(({ pointer }) => valueAt(document, pointer)),
    ...operation.security.flat().map(({ pointer }) => valueAt(document, pointer)),
    valueAt(document, operation.pointer),
  ]
  const texts = roots.map(value => JSON.stringify(value))
  const follow = (text: string): void => {
    for (const [, reference = '""'] of text.matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)) {
      const pointer = localReference(JSON.parse(reference) as string)
      if (pointer === null || seen.has(pointer)) continue
      const target = JSON.stringify(valueAt(document, pointer)) ?? ''
      seen.set(pointer, target)
      follow(target)
    }
  }
  for (const text of texts) follow(text)
  const security = JSON.stringify(operation.security)
  return [operation.method, operation.path, security, ...texts, ...[...seen].sort().flat()].join('\n')
}
