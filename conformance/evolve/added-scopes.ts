import { type Pointer, requiredScopes } from '../../spec/index.ts'
import type { Side } from './side.ts'

/** What has to be given now, and where the documents say what has. */
type AddedScope = { readonly message: string; readonly old: Pointer; readonly new: Pointer }

type Scopes = ReadonlyMap<string, readonly string[]>

/**
 * Scopes that an operation did not ask for: tokens of old clients have not been given them. Which schemes a client needs is decided
 * by requests; here each alternative counts that old credentials fit.
 */
export const addedScopes = (old: Side, now: Side): readonly AddedScope[] => {
  const before = requiredScopes(old.contract.document, old.operation)
  const after = requiredScopes(now.contract.document, now.operation)
  const messages = before.alternatives.flatMap(held => {
    const missing = after.alternatives
      .filter(asked => [...asked.keys()].every(name => held.has(name)))
      .map(asked => missingIn(held, asked))
      .sort((left, right) => left.length - right.length)[0]
    return missing === undefined || missing.length === 0
      ? []
      : [`a token has to have ${missing.join(' and ')} now, which it did not need`]
  })
  return [...new Set(messages)].map(message => ({
    message,
    old: before.pointer,
    new: after.pointer,
  }))
}

const missingIn = (held: Scopes, asked: Scopes): readonly string[] =>
  [...asked].flatMap(([name, scopes]) =>
    scopes
      .filter(scope => held.get(name)?.includes(scope) !== true)
      .map(scope => `the scope \`${scope}\` of \`${name}\``),
  )
