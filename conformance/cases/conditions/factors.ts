/** What properties and parameters of valid requests have, and how requests are written and sent. */
import {
  hasCombinations,
  isObject,
  type Json,
  parseJson,
  placeOf,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
} from '../../../spec/index.ts'
import type { Encoding, Precondition, RequestSpec, TestCase } from '../case.ts'
import { isFile, withFiles } from '../files.ts'
import type { OperationModel } from '../operation-model.ts'
import { candidates, derivedTexts, extremeTexts, levelOf, textLevels } from './levels.ts'

/** One condition of a valid request, and the levels that it may have: `id` with `negative`, `small`, … */
export type Factor = {
  readonly levels: readonly string[]
  /** Levels that a server SHOULD accept, and no more: extremes of strings. */
  readonly extremes: readonly string[]
  /** The level that a request has; undefined if it is another one. */
  readonly of: (testCase: Pick<TestCase, 'spec' | 'precondition'>) => string | undefined
  /** The request with this level. `fresh`: an identity that was never sent. */
  readonly set: (spec: RequestSpec, level: string, label: string, fresh: Fresh | null) => RequestSpec
}

export type Fresh = { readonly name: string; readonly value: Json; readonly text: string }

export const factorsOf = (model: OperationModel): readonly Factor[] => {
  const { body } = model
  // Extremes have an obligation of their own: `combined`.
  const hasExtremes = body?.in === 'body' && hasCombinations(body.root)
  const properties = propertyFactors(model)
  return [
    ...sendingFactors(model),
    ...(hasExtremes ? properties : properties.map(withoutExtremes)),
    ...parameterFactors(model).map(withoutExtremes),
  ].filter(({ levels }) => levels.length > 1)
}

const withoutExtremes = (factor: Factor): Factor => ({
  ...factor,
  levels: factor.levels.filter(level => !factor.extremes.includes(level)),
})

export const connections = [
  'none',
  'after-accepted',
  'after-rejected',
] as const satisfies readonly Precondition[]
const framings = ['Content-Length', 'chunked'] as const
const layouts = ['json', 'whitespace', 'key-order', 'escaped-names', 'escaped-values'] as const

const sendingFactors = ({ body }: OperationModel): readonly Factor[] => [
  {
    levels: connections,
    extremes: [],
    of: ({ precondition }) => precondition,
    set: spec => spec,
  },
  ...(body === null
    ? []
    : [
        {
          levels: framings,
          extremes: [],
          of: ({ spec }: Pick<TestCase, 'spec'>) => framings[Number(spec.chunked)],
          set: (spec: RequestSpec, level: string) => ({ ...spec, chunked: level === 'chunked' }),
        },
      ]),
  ...(body?.in === 'body'
    ? [
        {
          levels: layouts,
          extremes: [],
          of: ({ spec: { encoding } }: Pick<TestCase, 'spec'>) =>
            encoding.kind === 'layout' ? encoding.layout : encoding.kind,
          set: (spec: RequestSpec, level: string) => ({ ...spec, encoding: encodingOf(level) }),
        },
      ]
    : []),
]

const encodingOf = (level: string): Encoding => {
  const layout = layouts.find(name => name === level)
  return layout === undefined || layout === 'json' ? { kind: 'json' } : { kind: 'layout', layout }
}

const absent = 'absent'

/** The properties of the body, those below them left out. */
const propertyFactors = (model: OperationModel): readonly Factor[] => {
  const { body, identity } = model
  if (body === null) return []
  const { root } = body
  const whole = wholeBody(root)
  return root.properties.map(name => {
    const place = placeOf(root, step('', name))
    const isListed = place?.keywords.some(({ keyword }) => keyword === 'enum') === true
    const valuesOf = (label: string, fresh: Fresh | null): readonly Json[] => {
      if (place === null) return []
      if (isFile(body, name)) {
        const file = withFiles(model, { [name]: plainValue(place, null, label) })
        return isObject(file) ? [file[name] as Json] : []
      }
      if (fresh !== null && fresh.name === name)
        return [fresh.value, ...derivedTexts(fresh.text).map(parseJson)]
      return candidates(place, plainValue(place, null, label), label)
    }
    const isValid = (value: Json | undefined): boolean =>
      isObject(whole) && model.isValidBody(setAt(whole, step('', name), value))
    const sample = name === identity?.name ? { name, value: 7, text: '7' } : null
    const present = valuesOf('a', sample).filter(isValid)
    return {
      levels: [
        ...new Set(present.map(value => levelOf(value, isListed))),
        ...(root.required.includes(name) || !isValid(undefined) ? [] : [absent]),
      ],
      extremes: isListed ? [] : extremeTexts,
      of: ({ spec }) => {
        if (!isObject(spec.body)) return undefined
        const value = Object.hasOwn(spec.body, name) ? spec.body[name] : undefined
        return value === undefined ? absent : levelOf(value, isListed)
      },
      set: (spec, level, label, fresh) => {
        const value =
          level === absent
            ? undefined
            : valuesOf(label, fresh).find(candidate => levelOf(candidate, isListed) === level)
        if (spec.body === undefined || (value === undefined && level !== absent)) return spec
        const changed = setAt(spec.body, step('', name), value)
        if (!model.isValidBody(changed)) return spec
        const isIdentity = fresh !== null && fresh.name === name && value !== fresh.value
        return isIdentity
          ? { ...spec, body: changed, renewable: false, derivedFrom: fresh.text }
          : { ...spec, body: changed }
      },
    }
  })
}

/** The texts of the identities that combined conditions make of this one, as far as they are valid. */
export const combinedIdentities = (
  { body, identity, isValidBody }: OperationModel,
  text: string,
): readonly string[] => {
  if (body === null || identity === null) return []
  const whole = wholeBody(body.root)
  const name = identity.name
  return derivedTexts(text).filter(derived => isValidBody(setAt(whole, step('', name), parseJson(derived))))
}

/** The plainest body with all properties. */
const wholeBody = (root: SchemaPlace): Json =>
  root.properties.reduce<Json>((value, name) => withPlain(value, root, name), plainValue(root, null, 'a'))

const withPlain = (value: Json, root: SchemaPlace, name: string): Json => {
  const place = placeOf(root, step('', name))
  return place === null ? value : setAt(value, place.pattern, plainValue(place, null, 'a'))
}

const parameterFactors = ({ parameters }: OperationModel): readonly Factor[] =>
  parameters.flatMap(({ parameter: { name, required }, root, isValid }) => {
    if (root === null) return []
    const isListed = root.keywords.some(({ keyword }) => keyword === 'enum')
    const valuesOf = (label: string): readonly Json[] =>
      candidates(root, plainValue(root, null, label), label).filter(isValid)
    return [
      {
        levels: [
          ...new Set(valuesOf('a').map(value => levelOf(value, isListed))),
          ...(required ? [] : [absent]),
        ],
        // What a URL or a header has to escape, it may not carry everywhere.
        extremes: isListed ? [] : textLevels.filter(level => level !== 'short, plain'),
        of: ({ spec }: Pick<TestCase, 'spec'>) => {
          const value = spec.parameters[name]
          return value === undefined ? absent : levelOf(value, isListed)
        },
        set: (spec: RequestSpec, level: string, label: string) => {
          const { [name]: _omitted, ...others } = spec.parameters
          const value = valuesOf(label).find(candidate => levelOf(candidate, isListed) === level)
          if (level === absent) return { ...spec, parameters: others }
          return value === undefined ? spec : { ...spec, parameters: { ...others, [name]: value } }
        },
      },
    ]
  })
