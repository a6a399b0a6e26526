import { fileURLToPath } from 'node:url'
import {
  type Contract,
  type LoadOptions,
  loadContract,
  type Operation,
  plantStoreDocument,
} from '../../spec/index.ts'
import type { ServedDocument } from '../engine/context.ts'
import { OptionError } from '../errors.ts'
import { adminPrefix } from './prefix.ts'

export type DocumentOptions = {
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's, unless there are `documents`. */
  readonly contract?: Contract | string | undefined
  /** More of them, by the prefix of their paths: `{ '/billing': 'payments.yaml' }`. */
  readonly documents?: Readonly<Record<string, Contract | string>> | undefined
}

/** Where a document comes from, and the prefix of its paths: `/billing`, or empty. */
export type DocumentSource = { readonly prefix: string; readonly from: Contract | string }

/** A document that is served. `problem`: why the present text of its file is not; null: it is. */
export type Served = Pick<ServedDocument, 'prefix' | 'basePath' | 'contract' | 'problem'>

/** A document that was read. */
export type ReadDocument = Omit<Served, 'basePath'>

/** The documents that are served now. */
export type Serving = {
  readonly documents: () => readonly ServedDocument[]
  readonly close: () => Promise<void>
}

/** Compiles contracts, each at its prefix. */
export type Compile = (documents: readonly ReadDocument[]) => Promise<readonly ServedDocument[]>

/** The documents that the options name, the one without a prefix first. Throws OptionError. */
export const sourcesOf = ({ contract, documents = {} }: DocumentOptions): readonly DocumentSource[] => {
  const more = Object.entries(documents).map(([prefix, from]) => ({ prefix: prefixOf(prefix), from }))
  const all = [...(contract === undefined ? [] : [{ prefix: '', from: contract }]), ...more]
  const twice = all.find(({ prefix }, index) => all.findIndex(other => other.prefix === prefix) !== index)
  if (twice !== undefined)
    throw new OptionError(
      `two documents have the prefix ${twice.prefix || '/'}: give each its own with --mount /PREFIX=FILE`,
    )
  return all.length > 0 ? all : [{ prefix: '', from: fileURLToPath(plantStoreDocument) }]
}

const prefixOf = (text: string): string => {
  if (!/^(\/[\w\-.~!$&'()*+,;:@]+)*\/?$/.test(text) || !text.startsWith('/'))
    throw new OptionError(`${JSON.stringify(text)} is not a valid path prefix: write it as /billing`)
  const prefix = text.replace(/\/$/, '')
  if (`${prefix}/`.startsWith(`${adminPrefix}/`))
    throw new OptionError(`the prefix ${adminPrefix} is reserved for the mock: choose another`)
  return prefix
}

export type ServingOptions = {
  readonly sources: readonly DocumentSource[]
  readonly refs: Omit<LoadOptions, 'from' | 'reads'>
  readonly compile: Compile
  readonly warn: (message: string) => void
}

/** Reads the documents once. Throws DocumentError. */
export const readDocuments = async ({ sources, refs, compile }: ServingOptions): Promise<Serving> => {
  const documents = await compile(
    await Promise.all(
      sources.map(async ({ prefix, from }) => ({
        prefix,
        contract: typeof from === 'string' ? await loadContract({ ...refs, from }) : from,
        problem: null,
      })),
    ),
  )
  return { documents: () => documents, close: async () => {} }
}

/** An operation whose id an earlier document has gets the prefix of its document in front of it: `billing.list`. */
export const withUniqueIds = (documents: readonly ReadDocument[]): readonly ReadDocument[] => {
  const taken = new Set<string>()
  return documents.map(served => {
    const { contract, prefix } = served
    const renamed = contract.operations.map((operation): Operation => {
      let id = operation.id
      if (taken.has(id)) id = [...prefix.split('/').slice(1), id].join('.')
      for (let count = 2; taken.has(id); count++) id = `${operation.id}-${count}`
      return id === operation.id ? operation : { ...operation, id }
    })
    for (const { id } of renamed) taken.add(id)
    const isSame = renamed.every((operation, index) => operation === contract.operations[index])
    return isSame ? served : { ...served, contract: { ...contract, operations: renamed } }
  })
}
