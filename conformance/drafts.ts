import {
  type CredentialKind,
  credentialKinds,
  isObject,
  type Json,
  malformedKinds,
  type Obligation,
  parseJson,
  placeOf,
  type SchemaPlace,
  type Subject,
  step,
  testedScheme,
  type Where,
  writeJson,
} from '../spec/index.ts'
import type { Draft, Lane } from './case.ts'
import { setAt } from './edit.ts'
import type { Identities } from './identities.ts'
import type { Model } from './model.ts'
import { plainValue } from './plain.ts'
import { createSampler, type Sampled } from './sample.ts'
import { wrongValues } from './wrong.ts'

/** Makes drafts for one obligation: `size` different ones (Infinity: random after the first few). */
export type Maker = {
  readonly size: number
  /** How large a share of the cases left over it gets; only where `size` is Infinity. */
  readonly weight: number
  readonly lane: Lane
  /** `number` is the case's own: labels and identities follow from it. Null: this one cannot be made. */
  readonly make: (index: number, number: number) => Draft | null
}

export type Untested = { readonly untested: string }

export type MakerContext = {
  readonly model: Model
  readonly identities: Identities | null
  readonly seed: number
  readonly tokenKnown: boolean
}

/** How an obligation is tested; null for those that are judged on every answer, without cases of their own. */
export const makerOf = (context: MakerContext, { id, subject }: Obligation): Maker | Untested | null => {
  const base = plainDrafts(context)
  const finite = (size: number, make: Maker['make'], lane: Lane = 'any'): Maker => ({
    size,
    weight: 0,
    lane,
    make,
  })
  switch (subject.kind) {
    case 'valid':
      return validMaker(context, id, base)
    case 'presence':
      return finite(2, (_index, number) =>
        withOptional(context.model, base(number), subject.present, label(number)),
      )
    case 'value':
      return finite(subject.texts.length, (index, number) => valueDraft(context, subject, index, number))
    case 'layout':
      return finite(4, (_index, number) => ({
        ...rich(context.model, base(number), number),
        encoding: { kind: 'layout', layout: subject.layout },
      }))
    case 'framing':
      return finite(4, (_index, number) => ({ ...base(number), chunked: true }))
    case 'size':
      return finite(1, (_index, number) => ({
        ...base(number),
        encoding: { kind: 'padded', bytes: subject.bytes },
      }))
    case 'media':
      return finite(3, (_index, number) => ({ ...base(number), contentType: subject.contentType }))
    case 'keyword':
      return keywordMaker(context, id, subject, base)
    case 'malformed':
      return {
        ...finite(
          subject.name === 'truncated' ? Number.POSITIVE_INFINITY : variantsOf(subject.name),
          (index, number) => ({
            ...base(number),
            encoding: { kind: 'malformed', name: subject.name, pick: index },
          }),
        ),
        weight: 1,
      }
    case 'no-body':
      return finite(2, (_index, number) =>
        subject.name === 'absent'
          ? { ...base(number), body: undefined, encoding: { kind: 'absent' }, contentType: null }
          : { ...base(number), body: undefined, encoding: { kind: 'empty' } },
      )
    case 'missing-parameter':
      return finite(2, (_index, number) => ({
        ...base(number),
        parameters: without(base(number).parameters, subject.where.name),
      }))
    case 'credentials':
      return credentialsMaker(context, subject, base)
    case 'load':
      return loadMaker(subject.name, base)
    case 'open':
      return openMaker(context, subject.name, base)
    case 'answer':
      return null
  }
}

const label = (number: number): string => `a${number.toString(36)}`

const variantsOf = (name: string): number =>
  malformedKinds.some(
    kind =>
      kind.name === name && kind.make('{"a":"b","c":1}', 0).join() !== kind.make('{"a":"b","c":1}', 1).join(),
  )
    ? 7
    : 2

const without = (values: Readonly<Record<string, Json>>, name: string): Readonly<Record<string, Json>> =>
  Object.fromEntries(Object.entries(values).filter(([own]) => own !== name))

/** The plainest valid request, a different one for each number. */
export const plainDrafts = ({ model, identities }: MakerContext): ((number: number) => Draft) => {
  const { operation, body } = model
  const required = model.parameters.filter(({ parameter }) => parameter.required)
  return number => {
    const value = body === null ? undefined : plainValue(body.root, null, label(number))
    const identity = identities === null ? null : step('', identities.name)
    return {
      method: operation.method,
      path: operation.path,
      parameters: Object.fromEntries(
        required.map(({ parameter, root }) => [
          parameter.name,
          root === null ? label(number) : plainValue(root, null, label(number)),
        ]),
      ),
      body: value === undefined || identity === null ? value : setAt(value, identity, identities?.at(number)),
      encoding: value === undefined ? { kind: 'absent' } : { kind: 'json' },
      contentType: body?.media.type ?? null,
      chunked: false,
      credentials: null,
      renewable: identity !== null,
    }
  }
}

const withOptional = ({ body }: Model, draft: Draft, names: readonly string[], text: string): Draft => ({
  ...draft,
  body: names.reduce<Json | undefined>((value, name) => {
    const place = body === null ? null : placeOf(body.root, step('', name))
    return value === undefined || place === null
      ? value
      : setAt(value, place.pattern, plainValue(place, null, text))
  }, draft.body),
})

/** With every optional property: a layout shows only where there is something to lay out. */
const rich = (model: Model, draft: Draft, number: number): Draft =>
  withOptional(
    model,
    draft,
    model.body?.root.properties.filter(name => !model.body?.root.required.includes(name)) ?? [],
    label(number),
  )

const freshIdentity = ({ identities }: MakerContext, value: Json, number: number): Json =>
  identities !== null && isObject(value)
    ? setAt(value, step('', identities.name), identities.at(number))
    : value

const validMaker = (context: MakerContext, id: string, base: (number: number) => Draft): Maker => {
  const { model, seed } = context
  const generator = model.bodyGenerator()
  const boundaries = generator?.boundaries ?? []
  const random =
    generator === null || 'refused' in generator.valid ? null : createSampler(generator.valid, seed, id)
  const parameters = model.parameters.map(({ parameter, generator: make }) => {
    const valid = make()?.valid
    return {
      name: parameter.name,
      required: parameter.required,
      sample:
        valid === undefined || 'refused' in valid
          ? null
          : createSampler(valid, seed, `${id} ${parameter.name}`),
    }
  })
  const make = (index: number, number: number): Draft => {
    const draft = base(number)
    if (index === 0) return draft
    const body =
      draft.body === undefined ? undefined : (boundaries[index - 1] ?? random?.(index) ?? draft.body)
    const values = parameters.flatMap(({ name, required, sample }) => {
      const value = sample?.(index)
      return value === undefined || (!required && index % 2 === 1) ? [] : [[name, value] as const]
    })
    return {
      ...draft,
      body: body === undefined ? undefined : freshIdentity(context, body, number),
      parameters: { ...draft.parameters, ...Object.fromEntries(values) },
    }
  }
  const size = generator === null && parameters.length === 0 ? 3 : Number.POSITIVE_INFINITY
  return { size, weight: 10, lane: 'any', make }
}

const atPlace = (model: Model, where: Where): SchemaPlace | null => {
  const root =
    where.in === 'body'
      ? model.body?.root
      : model.parameters.find(({ parameter }) => parameter.name === where.name && parameter.in === where.in)
          ?.root
  return root == null ? null : root
}

/** The draft with a value at a place of its body or of a parameter, and with what lies on the way there. */
const put = (
  context: MakerContext,
  draft: Draft,
  where: Where,
  value: Json | undefined,
  number: number,
): Draft | null => {
  const root = atPlace(context.model, where)
  if (root === null) return null
  if (where.in !== 'body') {
    const whole =
      where.place === '' ? value : setAt(plainValue(root, where.place, label(number)), where.place, value)
    return {
      ...draft,
      parameters:
        whole === undefined
          ? without(draft.parameters, where.name)
          : { ...draft.parameters, [where.name]: whole },
    }
  }
  if (where.place === '') return { ...draft, body: value }
  const body = freshIdentity(context, plainValue(root, where.place, label(number)), number)
  const own = context.identities !== null && where.place === step('', context.identities.name)
  return { ...draft, body: setAt(body, where.place, value), renewable: draft.renewable && !own }
}

const valueDraft = (
  context: MakerContext,
  { where, name, texts }: Extract<Subject, { kind: 'value' }>,
  index: number,
  number: number,
): Draft | null => {
  const draft = plainDrafts(context)(number)
  const identity = context.identities
  if (identity !== null && where.in === 'body' && where.place === step('', identity.name)) {
    // Another spelling of a fresh identity; the edges themselves can be sent but once.
    if (name === 'decimal-form')
      return put(context, draft, where, parseJson(`${identity.text(number)}.0`), number)
    if (name === 'exponent-form')
      return put(
        context,
        draft,
        where,
        parseJson(`${identity.text(number)}${index % 2 === 0 ? 'e0' : 'E+0'}`),
        number,
      )
  }
  const text = texts[index]
  return text === undefined ? null : put(context, draft, where, parseJson(text), number)
}

const keywordMaker = (
  context: MakerContext,
  id: string,
  subject: Extract<Subject, { kind: 'keyword' }>,
  base: (number: number) => Draft,
): Maker | Untested => {
  const { where, keyword, detail } = subject
  const { model, seed } = context
  if (keyword === 'required') return missingMaker(context, id, subject, base)
  const values = wrongValues(model, subject)
  if (values !== null) {
    const random = validMaker(context, id, base)
    return {
      size: random.size,
      weight: 1,
      lane: 'any',
      make: (index, number) => {
        const value = values[index % values.length]
        if (index < values.length) return put(context, base(number), where, value, number)
        // The same faults again, in bodies that are valid but for them.
        const draft = random.make(index, number)
        if (draft === null || where.in !== 'body' || draft.body === undefined || where.place.includes('*'))
          return put(context, base(number), where, value, number)
        return where.place === ''
          ? { ...draft, body: value }
          : { ...draft, body: setAt(draft.body, where.place, value) }
      },
    }
  }
  const generator =
    where.in === 'body'
      ? model.bodyGenerator()
      : (model.parameters.find(({ parameter }) => parameter.name === where.name)?.generator() ?? null)
  const invalid = generator?.invalid({ instance: where.place, keyword, detail })
  if (invalid === undefined) return { untested: 'there is no schema to generate from' }
  if ('refused' in invalid)
    return { untested: `no value can be made that breaks this alone: ${invalid.refused}` }
  const sample: Sampled = createSampler(invalid, seed, id)
  return {
    size: Number.POSITIVE_INFINITY,
    weight: 1,
    lane: 'any',
    make: (index, number) => {
      const draft = base(number)
      if (where.in !== 'body')
        return { ...draft, parameters: { ...draft.parameters, [where.name]: sample(index) } }
      return {
        ...draft,
        body: where.place === '' ? sample(index) : freshIdentity(context, sample(index), number),
      }
    },
  }
}

/** Bodies without a required property, and whole but for that. */
const missingMaker = (
  context: MakerContext,
  id: string,
  { where, detail }: Extract<Subject, { kind: 'keyword' }>,
  base: (number: number) => Draft,
): Maker => {
  const random = validMaker(context, id, base)
  const missing = step(where.place, detail)
  return {
    size: random.size,
    weight: 1,
    lane: 'any',
    make: (index, number) => {
      if (where.in !== 'body') return null
      const root = context.model.body?.root
      if (root === undefined) return null
      const whole =
        index < 2 || where.place !== ''
          ? freshIdentity(context, plainValue(root, missing, label(number)), number)
          : random.make(index, number)?.body
      const all =
        index === 1 && where.place === ''
          ? withOptional(
              context.model,
              { ...base(number), body: whole },
              root.properties.filter(name => !root.required.includes(name)),
              label(number),
            ).body
          : whole
      return all === undefined
        ? null
        : {
            ...base(number),
            body: setAt(all, missing, undefined),
            renewable: detail !== context.identities?.name,
          }
    },
  }
}

const credentialsMaker = (
  { model, tokenKnown }: MakerContext,
  { name }: Extract<Subject, { kind: 'credentials' }>,
  base: (number: number) => Draft,
): Maker | Untested => {
  const scheme = testedScheme(model)
  const kind: CredentialKind | undefined =
    scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (kind === undefined) return { untested: 'credentials of this scheme are not supported' }
  if (kind.needsToken && !tokenKnown)
    return { untested: 'without --token any token may be right, so none is known to be wrong' }
  return {
    size: Math.max(2, kind.authorization.length),
    weight: 0,
    lane: kind.afterAccepted ? 'after-accepted' : 'any',
    make: (index, number) => {
      const draft = base(number)
      return {
        ...draft,
        ...(kind.invalidBody ? { body: isObject(draft.body) ? [] : {} } : {}),
        credentials: { kind, pick: index },
      }
    },
  }
}

const loadMaker = (name: string, base: (number: number) => Draft): Maker => {
  const sizes: Readonly<Record<string, number>> = { pairing: 96, consistency: 24, drift: 24, recovery: 12 }
  return {
    size: sizes[name] ?? 0,
    weight: 0,
    lane: name === 'recovery' ? 'after-refused' : 'any',
    make: (_index, number) => base(number),
  }
}

const openMaker = (context: MakerContext, name: string, base: (number: number) => Draft): Maker | null => {
  const one = (make: (draft: Draft) => Draft | null, lane: Lane = 'any'): Maker => ({
    size: 1,
    weight: 0,
    lane,
    make: (_index, number) => make(base(number)),
  })
  const object = (draft: Draft): Json => draft.body ?? {}
  switch (name) {
    case 'undeclared-property':
      return one(draft =>
        isObject(draft.body) ? { ...draft, body: { ...draft.body, undeclared: 'x' } } : null,
      )
    case 'duplicate-names':
      return one(draft => {
        const [first] = isObject(draft.body)
          ? Object.entries(draft.body).filter(([own]) => own !== context.identities?.name)
          : []
        if (first === undefined) return null
        const member = `${JSON.stringify(first[0])}:${writeJson(first[1])}`
        return {
          ...draft,
          encoding: { kind: 'text', text: writeJson(object(draft)).replace(/\}$/, `,${member}}`) },
        }
      })
    case 'byte-order-mark':
      return one(draft => ({ ...draft, encoding: { kind: 'bom' } }))
    case 'lone-surrogate':
      return one(draft => ({
        ...draft,
        encoding: { kind: 'text', text: writeJson(object(draft)).replace(/\}$/, ',"undeclared":"\\ud800"}') },
      }))
    case 'megabyte':
      return one(draft => ({ ...draft, encoding: { kind: 'padded', bytes: 1_048_576 } }))
    case 'other-method':
      return one(draft => ({
        ...draft,
        method: otherMethod(context.model),
        body: undefined,
        encoding: { kind: 'absent' },
        contentType: null,
      }))
    case 'other-path':
      return one(draft => ({ ...draft, path: `${draft.path}-undeclared`, parameters: draft.parameters }))
    case 'duplicate-id':
      // Sent right after the same plain request was accepted.
      return one(draft => draft, 'twice')
    default:
      return null
  }
}

const otherMethod = ({ contract, operation }: Model): string => {
  const declared = contract.operations
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method)
  return (['PUT', 'PATCH', 'DELETE', 'GET'] as const).find(method => !declared.includes(method)) ?? 'REPORT'
}
