import type { ServedDocument } from '../engine/context.ts'
import { type AdminRoutes, jsonResponse } from './routes.ts'

/** `GET /__plantstore/rules`: how responses fit their requests, by operation; those without a rule are left out. */
export const rulesRoutes = (documents: () => readonly ServedDocument[]): AdminRoutes => ({
  'GET /rules': () => jsonResponse(rulesIn(documents())),
})

export const rulesIn = (documents: readonly ServedDocument[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    documents.flatMap(({ contract, engine }) =>
      contract.operations.flatMap(operation => {
        const sentences = engine.fitting?.sentencesOf(engine, operation) ?? []
        return sentences.length === 0 ? [] : [[operation.id, sentences] as const]
      }),
    ),
  )
