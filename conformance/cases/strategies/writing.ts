import { escapedText, type Layout, type Subject } from '../../../spec/index.ts'
import { labelOf } from '../correlation-label.ts'
import { withAllOptional } from '../with-optional.ts'
import { withText } from './edit-spec.ts'
import { plainParameters } from './plain-spec.ts'
import { finiteStrategy, type PlainSpec, type Strategy, type StrategyContext } from './strategy.ts'

/** Valid requests that have one parameter in the query each, written in percent-escapes. */
export const queryEscapesStrategy = ({ model }: StrategyContext, plain: PlainSpec): Strategy => {
  const inQuery = model.parameters.filter(({ parameter }) => parameter.in === 'query')
  return finiteStrategy(Math.max(2, inQuery.length), (index, number) => {
    const each = inQuery[index % inQuery.length]
    if (each === undefined) return null
    const spec = plain(number)
    const value = plainParameters(each)(labelOf(number), number)
    return { ...spec, parameters: { ...spec.parameters, [each.parameter.name]: value }, queryEscapes: true }
  })
}

/** What escapes stand for, so that a reader which loses or keeps them gives back another text. */
const texts: Partial<Record<Layout, string>> = {
  'short-escapes': escapedText,
  'escaped-values': 'Z\u00fc植',
}

/** Valid bodies with all that is optional, in another layout. */
export const layoutStrategy = (
  context: StrategyContext,
  { layout }: Extract<Subject, { kind: 'layout' }>,
  plain: PlainSpec,
): Strategy =>
  finiteStrategy(4, (index, number) => {
    const spec = withAllOptional(context.model, plain(number), number)
    const text = layout === 'short-escapes' || index > 0 ? texts[layout] : undefined
    return {
      ...(text === undefined ? spec : withText(context, spec, text)),
      encoding: { kind: 'layout', layout },
    }
  })
