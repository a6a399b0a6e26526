import { fileURLToPath } from 'node:url'
import { type Contract, type Operation, plantStoreDocument } from '../spec/index.ts'
import type { Engine } from './engine.ts'
import { OptionError } from './option-error.ts'
import { ownPrefix } from './own.ts'

export type DocumentOptions = {
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's own, unless there are `documents`. */
  readonly contract?: Contract | string
  /** More of them, by the prefix of their paths: `{ '/billing': 'payments.yaml' }`. */
  readonly documents?: Readonly<Record<string, Contract | string>>
}

/** Where a document comes from, and the prefix of its paths: `/billing`, or nothing. */
export type Source = { readonly prefix: string; readonly from: Contract | string }

/** A document that is served. `problem`: why what is in its file by now is not. */
export type Served = {
  readonly prefix: string
  readonly contract: Contract
  readonly problem: string | null
}

/** The documents that are served now, and the engine that answers by them. */
export type Serving = {
  readonly engine: Engine
  readonly documents: () => readonly Served[]
  readonly close: () => Promise<void>
}

/** Makes one engine of all documents. */
export type Assemble = (documents: readonly Served[]) => Promise<Engine>

/** The documents that the options name, that without a prefix first. Throws OptionError. */
export const sourcesOf = ({ contract, documents = {} }: DocumentOptions): readonly Source[] => {
  const more = Object.entries(documents).map(([prefix, from]) => ({ prefix: prefixOf(prefix), from }))
  const all = [...(contract === undefined ? [] : [{ prefix: '', from: contract }]), ...more]
  const twice = all.find(({ prefix }, index) => all.findIndex(other => other.prefix === prefix) !== index)
  if (twice !== undefined)
    throw new OptionError(
      `two documents have the prefix ${twice.prefix || '/'}: give each one of its own with --mount /PREFIX=FILE`,
    )
  return all.length > 0 ? all : [{ prefix: '', from: fileURLToPath(plantStoreDocument) }]
}

const prefixOf = (text: string): string => {
  if (!/^(\/[\w\-.~!$&'()*+,;:@]+)*\/?$/.test(text) || !text.startsWith('/'))
    throw new OptionError(`${JSON.stringify(text)} is no prefix of paths: write it as /billing`)
  const prefix = text.replace(/\/$/, '')
  if (`${prefix}/`.startsWith(`${ownPrefix}/`))
    throw new OptionError(`the prefix ${ownPrefix} is the mock's own: choose another`)
  return prefix
}

/** An operation whose id an earlier document has gets its prefix in front of it: `billing.list`. */
export const withOwnIds = (documents: readonly Served[]): readonly Served[] => {
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
