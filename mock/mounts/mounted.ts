import type { Contract } from '../../spec/index.ts'
import type { AnyOperations } from '../answers/operation-types.ts'
import type { Served } from '../documents/documents.ts'
import type { Journal } from '../middleware/journal.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import type { State } from '../state/state.ts'
import { type Answering, createAnswer } from './answer.ts'
import type { Built, Webhook } from './build.ts'

/** What every mount of the mock has. */
export type Mounted<O extends object = AnyOperations> = Answering<O> & {
  /** The contract of the first document, as it is served now. */
  readonly contract: Contract
  /** All documents, as they are served now. */
  readonly documents: readonly Served[]
  /** How responses fit their requests, one sentence for each rule, by operation. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  readonly journal: Journal
  /** Switches what operations do instead of their usual behaviour. */
  readonly scenarios: Scenarios
  /**
   * Loads what makes up values, unless the contract needs none. The first made-up response takes a second without it: call it
   * in the background, or before tests.
   */
  readonly ready: () => Promise<void>
  /** What is kept; null: the mock is not stateful. */
  readonly state: State | null
  /** `expire` ends the tokens that responses gave so far: a client with one of them has to refresh it or to log in. */
  readonly tokens: { readonly expire: () => void }
  /**
   * Sends a webhook of the document, and resolves with the status of the answer and what that breaks of the contract. Throws
   * OptionError if there is no such webhook, or its body breaks the contract.
   *
   * @example
   * await mock.webhook('orderShipped', { url: 'http://127.0.0.1:3000/hooks', body: { id: 7 } })
   */
  readonly webhook: Webhook
  /** Ends the mock, and the watching of its files. */
  readonly close: () => Promise<void>
}

/** The contract that responds outside all prefixes. */
export const contractOf = ({ documents }: Pick<Built, 'documents'>): Contract =>
  (documents()[0] as Served).contract

type Parts = Pick<
  Built,
  'documents' | 'rules' | 'journal' | 'scenarios' | 'state' | 'tokens' | 'webhook' | 'ready' | 'close'
>

/** Adds to a mount what every mount has; the contract changes with its file. */
export const mounted = <T extends object, O extends object = AnyOperations>(
  mount: T,
  parts: Parts,
): T & Mounted<O> => {
  const { documents, rules, journal, scenarios, state, tokens, webhook, ready, close } = parts
  return Object.defineProperties(mount, {
    contract: { enumerable: true, get: () => contractOf(parts) },
    documents: { enumerable: true, get: documents },
    // Not enumerable: what prints a mount would derive the rules of a whole document.
    rules: { get: rules },
    journal: { enumerable: true, value: journal },
    scenarios: { enumerable: true, value: scenarios },
    answer: { enumerable: true, value: createAnswer(scenarios) },
    ready: { enumerable: true, value: ready },
    state: { enumerable: true, value: state },
    tokens: { enumerable: true, value: tokens },
    webhook: { enumerable: true, value: webhook },
    close: { enumerable: true, value: close },
  }) as T & Mounted<O>
}
