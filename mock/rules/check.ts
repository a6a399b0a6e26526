import { type Contract, isSameName, nearest } from '../../spec/index.ts'
import { OptionError } from '../errors.ts'
import { rulesOf } from './infer.ts'
import { type RuleSettings, ruleKinds } from './list-rule.ts'

/** Throws OptionError if a setting is about nothing in the documents, or no rule. */
export const checkRules = (settings: RuleSettings, contracts: readonly Contract[]): void => {
  const operations = contracts.flatMap(contract =>
    contract.operations.map(operation => ({ contract, operation })),
  )
  for (const [name, setting] of Object.entries(settings)) {
    const [kind = '', property] = setting.split(':')
    if (!(ruleKinds as readonly string[]).includes(kind) || (property !== undefined && kind !== 'filter'))
      throw new OptionError(
        `the rule ${name}=${setting} must be one of ${ruleKinds.join(', ')}, or filter:PROPERTY`,
      )
    const split = name.lastIndexOf('.')
    const [id, parameter] = [name.slice(0, split), name.slice(split + 1)]
    const ofId = operations.filter(({ operation }) => id === '*' || operation.id === id)
    const known = operations.flatMap(({ operation }) =>
      operation.parameters.flatMap(each => [`${operation.id}.${each.name}`, `*.${each.name}`]),
    )
    const found = ofId.filter(
      ({ operation }) => parameter === '*' || operation.parameters.some(each => each.name === parameter),
    )
    if (found.length === 0)
      throw new OptionError(`no document has a parameter ${name}${suggestion(name, known)}`)
    if (kind !== 'off' && parameter === '*')
      throw new OptionError(
        `the rule ${name}=${setting} must name one parameter: only off is for all of them`,
      )
    if (
      kind === 'filter' &&
      !found.some(({ contract, operation }) => hasProperty(contract, operation, property ?? parameter))
    )
      throw new OptionError(
        `the rule ${name}=${setting}: the items of ${id} have no property ${property ?? parameter}`,
      )
  }
}

const suggestion = (name: string, known: readonly string[]): string => {
  const [near] = nearest(name, known)
  return near === undefined ? '' : ` (did you mean ${near}?)`
}

const hasProperty = (
  contract: Contract,
  operation: Contract['operations'][number],
  property: string,
): boolean =>
  operation.responses.some(declared => {
    const { list, instance } = rulesOf(contract, operation, declared, {})
    return list !== null && instance?.properties.some(name => isSameName(name, property)) === true
  })
