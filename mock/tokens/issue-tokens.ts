import type { Middleware } from '../engine/context.ts'
import { chain } from '../engine/maybe-promise.ts'
import { grantOf } from '../rules/grants.ts'
import type { GivenTokens } from './given.ts'
import { remember } from './renewed.ts'

/** Remembers the tokens of every response, whatever made it: an answer of the user's own gives right tokens as well. */
export const issueTokens =
  (given: GivenTokens, isIdle: () => boolean): Middleware =>
  (context, next) =>
    isIdle()
      ? next(context)
      : chain(next(context), response => {
          const { document, judged, terms } = context
          if (document === null || judged === null || judged.violations.length > 0) return response
          const grant = grantOf(document.contract, judged.operation)
          if (grant !== null) remember(given, grant, judged, response, terms)
          return response
        })
