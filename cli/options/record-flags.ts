import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from '../process/exit.ts'
import { each, type Parse, withTraits } from './parse.ts'

/** What the record of a run says of the product, of those who ran it, and for whom. */
export type RecordFlags = {
  /** `version=1.4.2` */
  readonly subject?: readonly string[]
  readonly runBy?: string
  readonly nonce?: string
}

const mostCharacters = 200
const mostFacts = 20

/** A text that a reader of the record sees as it was given, on one line. */
const checkText = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  if ([...text].length > mostCharacters)
    throw new InvalidArgumentError(`It must have at most ${mostCharacters} characters.`)
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text))
    throw new InvalidArgumentError('It must be one line, without control characters.')
  return text
}

const recordText: Parse<string> = withTraits(
  { schema: { type: 'string', minLength: 1, maxLength: mostCharacters } },
  (text: string) => checkText(text),
)

const fact: Parse<string> = withTraits(
  { schema: { type: 'string', pattern: '^[^=]+=.+$' } },
  (text: string) => {
    const [key, value] = halvesOf(text)
    if (!text.includes('=') || !/^\p{L}[\p{L}\p{M}\p{N} ._-]{0,49}$/u.test(key))
      throw new InvalidArgumentError(
        'It must be a key and a value, such as version=1.4.2. A key begins with a letter, and has at most 50 letters, digits, dots, hyphens, underscores and blanks.',
      )
    checkText(value)
    return text
  },
)

const halvesOf = (text: string): readonly [key: string, value: string] => {
  const [key = ''] = text.split('=', 1)
  return [key, text.slice(key.length + 1)]
}

export const recordOptions = (): readonly Option[] => [
  new Option(
    '--subject <key=value>',
    'the product under test, for the record, such as version=1.4.2; the headline has name and version; repeatable',
  ).argParser(each(fact)),
  new Option('--run-by <who>', 'who runs the tests, for the record, such as Jane Doe, ACME').argParser(
    recordText,
  ),
  new Option(
    '--nonce <text>',
    'challenge text from the reader of the record; sets the seed unless --seed is given',
  ).argParser(recordText),
]

/** The facts of the product as one record. Throws UsageError if a key occurs twice, or there are too many. */
export const testedProductOf = ({ subject }: RecordFlags): Readonly<Record<string, string>> | undefined => {
  if (subject === undefined) return undefined
  const facts = subject.map(halvesOf)
  const keys = facts.map(([key]) => key)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  if (twice !== undefined) throw new UsageError(`--subject ${twice}=… is given twice: give each key once`)
  if (keys.length > mostFacts)
    throw new UsageError(`--subject is given ${keys.length} times: a record has at most ${mostFacts} of them`)
  return Object.fromEntries(facts)
}
