import { withoutBlanks } from '../text/characters.ts'

/** One challenge of WWW-Authenticate; names are in lower case, as they are case-insensitive (RFC 9110 11.1, 11.2). */
export type Challenge = {
  readonly scheme: string
  readonly parameters: readonly ChallengeParameter[]
}

export type ChallengeParameter = {
  readonly name: string
  /** Without its quotation marks and backslashes. */
  readonly value: string
  readonly quoted: boolean
}

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const quotedText = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\uffff]|\\\\[\\t\\x20-\\x7e\\x80-\\uffff])*"'
const scheme = new RegExp(`^(${token})(?: +(?! )(.+))?$`)
const parameter = new RegExp(`^(${token})([ \\t]*)=([ \\t]*)(${token}|${quotedText})$`)
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/

/** Parses WWW-Authenticate by the grammar for senders (RFC 9110 11.6.1). */
export const readChallenges = (text: string): readonly Challenge[] | { readonly problem: string } => {
  const challenges: { scheme: string; parameters: ChallengeParameter[] }[] = []
  for (const element of elements(text)) {
    // RFC 9110 5.6.1: a sender MUST NOT generate empty list elements.
    if (element === '') return { problem: 'an empty list element' }
    let rest: string | undefined = element
    if (!parameter.test(element)) {
      const [, name, after] = scheme.exec(element) ?? []
      if (name === undefined) return { problem: `neither a scheme nor a parameter: ${element}` }
      challenges.push({ scheme: name.toLowerCase(), parameters: [] })
      rest = after
      if (rest === undefined || token68.test(rest)) continue
    } else if ((challenges.at(-1)?.parameters.length ?? 0) === 0)
      return { problem: `a parameter without a scheme: ${element}` }
    const [, name, before, behind, value] = parameter.exec(rest) ?? []
    if (name === undefined || value === undefined) return { problem: `not a parameter: ${rest}` }
    // RFC 9110 5.6.3: a sender MUST NOT generate this white space.
    if (before !== '' || behind !== '') return { problem: `white space around the equals sign: ${rest}` }
    challenges.at(-1)?.parameters.push({
      name: name.toLowerCase(),
      value: value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value,
      quoted: value.startsWith('"'),
    })
  }
  return challenges
}

// Commas between quotation marks do not separate elements.
const elements = (text: string): readonly string[] =>
  text
    .replace(/"(?:[^"\\]|\\.)*("?)|,/g, (part, end) => (end === '"' ? part : part.replaceAll(',', '\n')))
    .split('\n')
    .map(withoutBlanks)
