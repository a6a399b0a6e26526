/** What stores have in common whose faults need two conditions at once. */
import { crash, type Fault, when } from './faults.ts'
import type { BrokenServer, Exchange, NewPlant, SentRequest } from './model.ts'
import { rare, rowsOf } from './row.ts'
import { inTurn } from './sent.ts'
import { astral, beyondAscii } from './texts.ts'

const row = rowsOf('accept')

/** What finds a fault that needs two conditions. */
export const accepted =
  /^createPlant\/(request\/(valid|combined|body|layout|framing|size)|response\/declared|stability\/)/

export type Matches = (plant: NewPlant, exchange: Exchange) => boolean

/** Fails if two conditions meet in a valid request, and only then. `shown`: such a request. */
export const failing = (
  name: string,
  about: string,
  matches: Matches,
  shown: SentRequest,
  fault: Fault = crash,
  level: 'MUST' | 'SHOULD' = 'MUST',
): BrokenServer =>
  row(
    name,
    about,
    accepted,
    when(
      (exchange, { cause, plant }) => cause === 'none' && plant !== undefined && matches(plant, exchange),
      fault,
    ),
    { level, witness: inTurn(shown), ...rare },
  )

export const isLong = (text: string | undefined): boolean => (text?.length ?? 0) >= 64
export const isTagged = ({ tag }: NewPlant): boolean => tag !== undefined
export const hasQuote = (text: string | undefined): boolean => /["\\]/.test(text ?? '')
export const isBeyondAscii = (text: string | undefined): boolean => beyondAscii.test(text ?? '')
export const isAstral = (text: string | undefined): boolean => astral.test(text ?? '')

export const negative = -4_711_001
export const large = 3_000_000_001
export const long = 'Philodendron '.repeat(8)
