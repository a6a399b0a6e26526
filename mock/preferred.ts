import {
  clauseOf,
  codes,
  type Json,
  type Operation,
  type ResponseClause,
  type SchemaPlace,
} from '../spec/index.ts'
import { withChallenge } from './challenge.ts'
import { mediaOf } from './clause.ts'
import { type Compose, type Composed, withHeader } from './compose.ts'
import type { Examples } from './examples.ts'
import { failureBody, type Refuse } from './failure.ts'
import { appliedPreferences, type Preferences } from './prefer.ts'
import type { MockRequest } from './request.ts'
import { wishOf } from './wish.ts'

type Means = { readonly title: string; readonly examples: Examples; readonly refuse: Refuse }

type Valid = {
  readonly operation: Operation
  readonly request: MockRequest
  readonly success: ResponseClause | null
  readonly compose: Compose
  readonly sent: (root: SchemaPlace) => Json | undefined
}

/** Answers a valid request as its client prefers; what is preferred and not declared is refused with the reason. */
export const createPreferred =
  ({ title, examples, refuse }: Means) =>
  async (
    preferences: Preferences,
    { operation, request, success, compose, sent }: Valid,
  ): Promise<Composed> => {
    const { code, problems } = preferences
    const clause = code === null ? success : clauseOf(operation, code)
    const wrong = problems.length > 0 ? problems : undeclared(operation, clause, examples, preferences)
    if (clause === null || wrong.length > 0)
      return refuse(operation, 'parameter', { code: codes.preferenceWrong, messages: wrong }, request)
    const status = code ?? 200
    const media = mediaOf(clause)
    const example =
      media === null || (preferences.dynamic && preferences.example === null)
        ? undefined
        : examples.named(media.pointer, media.type, preferences.example)
    // A bad example is not what the answer is.
    const applied = appliedPreferences(
      example === undefined ? { ...preferences, example: null } : preferences,
    )
    const reason = { code: codes.preferred, messages: [`this answer was asked for: Prefer: ${applied}`] }
    const failure = failureBody(reason, status, request.target)
    // What the document has for a failure that is asked for says more than that it was asked for.
    const known = status < 400 ? sent : example === undefined ? failure : () => undefined
    const answer = await compose(clause, status, known, wishOf(request, preferences))
    const whole = withChallenge(answer, operation, null, title)
    return applied === '' ? whole : withHeader(whole, 'Preference-Applied', applied)
  }

const undeclared = (
  operation: Operation,
  clause: ResponseClause | null,
  examples: Examples,
  { code, example }: Preferences,
): readonly string[] => {
  if (clause === null) {
    const declared = operation.responses.map(({ status }) => status).join(', ') || 'none'
    return [`the preferred code ${code ?? 200} is not declared here: declared is ${declared}`]
  }
  const names = exampleNames(clause, examples)
  if (example === null || names.includes(example)) return []
  const declared = names.join(', ') || 'none'
  return [
    `the preferred example ${JSON.stringify(example)} is not declared for ${clause.status}: declared is ${declared}`,
  ]
}

/** The names of the examples that an answer of this clause can be. */
export const exampleNames = (clause: ResponseClause, examples: Examples): readonly string[] => {
  const media = mediaOf(clause)
  return media === null ? [] : examples.names(media.pointer)
}
