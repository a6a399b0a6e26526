import { encodedTemplate, type Json, placesOf, plainName, summaryKind } from '../../spec/index.ts'
import type { Asked } from '../engine/fit.ts'
import { withoutOrigin } from '../engine/request.ts'
import type { OperationRules } from '../rules/rule.ts'
import { constraintsOf } from '../values/likely/constraints.ts'
import { keyOf } from './collections.ts'
import { linkTo, type Part } from './summary.ts'

/** What a header says of a list: `Link`, or a total; null: it says something else. */
export const partHeader = (name: string, part: Part): string | null => {
  const { asked, total } = part
  if (plainName(name) !== 'link') return summaryKind(name) === 'total' ? String(total) : null
  const links = (['next', 'previous'] as const).flatMap(way => {
    const link = linkTo(way, part)
    return link === null ? [] : [`<${link}>; rel="${way === 'next' ? 'next' : 'prev'}"`]
  })
  return links.length > 0 ? links.join(', ') : `<${asked.basePath}${withoutOrigin(asked.target)}>; rel="self"`
}

/** Where a resource is, as the schema of `Location` has it. `values`: the names in its path, from the left. */
export const locationOf = (
  { contract, declared, resource }: OperationRules,
  values: readonly Json[],
  { origin, basePath }: Pick<Asked, 'origin' | 'basePath'>,
): string | null => {
  if (resource === null) return null
  let index = 0
  const path =
    basePath +
    encodedTemplate(resource.path).replace(/\{[^{}]*\}/g, () =>
      encodeURIComponent(keyOf(values[index++] ?? '')),
    )
  const schema = declared.headers.find(({ name }) => /^location$/i.test(name))?.schema ?? null
  const format =
    schema === null ? '' : constraintsOf(placesOf(contract.responses.document, schema)).keywords.format
  const isWhole = format === 'uri' || format === 'url'
  return isWhole ? origin + path : path
}
