import { summaryKind } from '../../spec/index.ts'
import type { ListRule, OperationRules } from './rule.ts'

/** One sentence for each rule, for the console and the log. */
export const sentencesOf = ({
  list,
  path,
  query,
  identity,
  resource,
  location,
  operation,
}: Omit<OperationRules, 'sentences'>): readonly string[] => {
  const name = list === null ? '' : list.path.length === 0 ? 'the list' : `\`${list.path.join('.')}\``
  return [
    ...path.map(({ parameter, property, isIdentity }) =>
      isIdentity
        ? `\`${parameter}\` is the \`${property}\` of what is given`
        : `\`${parameter}\` is the \`${property}\` of ${list === null ? 'what is given' : `each of ${name}`}`,
    ),
    ...query.map(rule => listSentence(rule, name)),
    ...(list === null ? [] : summarySentences(list.root.properties, name)),
    ...(list !== null && identity !== null && resource?.read != null
      ? [`${resource.read.id} gives the same resource for the \`${identity}\` of an item of ${name}`]
      : []),
    ...(location === null ? [] : [`\`Location\` is the path of what ${operation.id} gives: ${location}`]),
  ]
}

const listSentence = (rule: ListRule, name: string): string => {
  const parameter = `\`${rule.parameter}\``
  switch (rule.kind) {
    case 'size':
      return `${parameter} sets the length of ${name}`
    case 'page':
      return `${parameter} is the number of the page that ${name} gives`
    case 'offset':
      return `${parameter} is how many items ${name} leaves out at the start`
    case 'cursor':
      return `${parameter} is where ${name} goes on`
    case 'sort':
      return `${parameter} names the property by which ${name} is sorted`
    case 'direction':
      return `${parameter} is the direction in which ${name} is sorted`
    case 'filter':
      return `${parameter} selects the items of ${name} by \`${rule.property}\``
  }
}

const summarySentences = (properties: readonly string[], name: string): readonly string[] =>
  properties
    .filter(property => summaryKind(property) === 'total')
    .map(property => `\`${property}\` is the number of all items of ${name}`)
