import { plural, type SentExchange, type StartEvent } from '../../../spec/index.ts'
import { entryOf, type Origin } from './entry.ts'

const secrets =
  'Credentials and the values of extra headers are placeholders; header fields that an HTTP client adds by itself are not listed.'

/** The text of a HAR file up to its first entry. */
const harHead = ({ name, version }: StartEvent['product']): string =>
  `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"entries":[`

/** The text after its last entry; `comments` tell its reader what is missing. */
const harTail = (comments: readonly string[]): string =>
  `\n],"comment":${JSON.stringify([...comments, secrets].join(' '))}}}\n`

export type HarOptions = {
  readonly product: StartEvent['product']
  readonly origin: Origin
  /** The most bytes that the file may have. */
  readonly limit: number
}

/** A HAR file that is written during a run: its text in pieces, none of which is kept in memory. */
export type HarStream = {
  readonly head: string
  /** The text of one more entry; empty if the file would become too large. */
  readonly entry: (exchange: SentExchange) => string
  /** The text after the entries so far. `isWhole`: there will be no more. */
  readonly tail: (isWhole: boolean) => string
  readonly leftOut: () => number
}

// Room for the tail.
const spare = 2048

export const createHarStream = ({ product, origin, limit }: HarOptions): HarStream => {
  const head = harHead(product)
  let size = Buffer.byteLength(head)
  let written = 0
  let leftOut = 0
  return {
    head,
    entry: exchange => {
      const text = `${written === 0 ? '' : ','}\n${JSON.stringify(entryOf(exchange, origin))}`
      size += Buffer.byteLength(text)
      // The size keeps growing, so that everything later is left out as well: a file with gaps would look whole.
      if (size > limit - spare) {
        leftOut += 1
        return ''
      }
      written += 1
      return text
    },
    tail: isWhole =>
      harTail([
        ...(leftOut === 0
          ? []
          : [`${plural(leftOut, 'later exchange')} left out: the file would be too large.`]),
        ...(isWhole ? [] : ['The run was cut off: everything after it is missing.']),
      ]),
    leftOut: () => leftOut,
  }
}
