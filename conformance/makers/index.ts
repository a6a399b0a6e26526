import {
  isIntegerSpelling,
  isObject,
  type Json,
  malformedKinds,
  type Obligation,
  parseJson,
  type Subject,
} from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { labelOf } from '../label.ts'
import { isIdentity, plainDrafts, put, rich, withOptional, without, withRest } from './base.ts'
import { branchMaker } from './branch.ts'
import { credentialsMaker } from './credentials.ts'
import { keywordMaker } from './keyword.ts'
import { finite, type Maker, type MakerContext, type Untested } from './maker.ts'
import { openMaker } from './open.ts'
import { validMaker } from './valid.ts'
import { wireMaker } from './wire.ts'

export { plainDrafts, rich } from './base.ts'
export type { Maker, MakerContext, Untested } from './maker.ts'

/** How an obligation is tested; null for those that are judged on every answer, without cases of their own. */
export const makerOf = (context: MakerContext, { id, subject }: Obligation): Maker | Untested | null => {
  const { model } = context
  if (model.unsupported !== null && subject.kind !== 'answer') return { untested: model.unsupported }
  const base = plainDrafts(context)
  // An empty form has no bytes, and so neither a type nor a framing.
  const withBytes = (number: number): Draft => {
    const draft = base(number)
    const isEmpty = isObject(draft.body) && Object.keys(draft.body).length === 0
    return model.body?.in === 'form' && isEmpty ? rich(model, draft, number) : draft
  }
  switch (subject.kind) {
    case 'valid':
      return validMaker(context, base)
    case 'presence':
      // The second time all texts are equal: some servers mix up what looks the same.
      return finite(2, (index, number) =>
        withOptional(
          model,
          base(number),
          subject.present,
          labelOf(number, index === 0 ? 'optional' : 'required'),
        ),
      )
    case 'value':
      // First in a plain body, then beside all that is optional; an identity is never sent twice.
      return finite((isIdentity(context, subject.where) ? 1 : 2) * subject.texts.length, (index, number) => {
        const draft = valueDraft(context, subject, index % subject.texts.length, base(number), number)
        return draft === null || index < subject.texts.length ? draft : withRest(model, draft, number)
      })
    case 'layout':
      return finite(4, (_index, number) => ({
        ...rich(model, base(number), number),
        encoding: { kind: 'layout', layout: subject.layout },
      }))
    case 'framing':
      return finite(4, (_index, number) => ({ ...withBytes(number), chunked: true }))
    case 'size':
      return finite(1, (_index, number) => ({
        ...base(number),
        encoding: { kind: 'padded', bytes: subject.bytes },
      }))
    case 'media':
      return finite(Math.max(2, subject.contentTypes.length), (index, number) => ({
        ...withBytes(number),
        contentType: subject.contentTypes[index % subject.contentTypes.length] ?? null,
      }))
    case 'keyword':
      return keywordMaker(context, id, subject, base)
    case 'branch':
      return branchMaker(context, id, subject, base)
    case 'malformed':
      return { ...finite(variantsOf(subject.name), malformed(subject.name, base)), weight: 1 }
    case 'no-body':
      return finite(2, (_index, number) => noBody(base(number), subject.name))
    case 'missing-parameter':
      return finite(2, (_index, number) => ({
        ...base(number),
        parameters: without(base(number).parameters, subject.where.name),
      }))
    case 'credentials':
      return credentialsMaker(context, subject, base)
    case 'load':
      return loadMaker(subject.name, (number, index) =>
        index % 2 === 0 ? base(number) : rich(model, base(number), number),
      )
    case 'open':
      return openMaker(context, subject.name, base)
    case 'wire':
      return wireMaker(subject.name, base)
    case 'answer':
      return null
  }
}

const malformed =
  (name: string, base: (number: number) => Draft): Maker['make'] =>
  (index, number) => ({ ...base(number), encoding: { kind: 'malformed', name, pick: index } })

/** Texts can be cut at any byte; other kinds have a few variants. */
const variantsOf = (name: string): number => {
  if (name === 'truncated') return Number.POSITIVE_INFINITY
  const kind = malformedKinds.find(own => own.name === name)
  const made = new Set(Array.from({ length: 8 }, (_, pick) => kind?.make('{"a":"b","c":1}', pick).join()))
  return Math.max(2, made.size)
}

const noBody = (draft: Draft, name: 'absent' | 'empty' | 'empty-object'): Draft => {
  switch (name) {
    case 'absent':
      return { ...draft, body: undefined, encoding: { kind: 'absent' }, contentType: null }
    case 'empty':
      return { ...draft, body: undefined, encoding: { kind: 'empty' } }
    case 'empty-object':
      return { ...draft, body: {}, renewable: false }
  }
}

const valueDraft = (
  context: MakerContext,
  { where, name, texts }: Extract<Subject, { kind: 'value' }>,
  index: number,
  draft: Draft,
  number: number,
): Draft | null => {
  const text = texts[index]
  if (text === undefined) return null
  const value = (own: string): Json => parseJson(own)
  if (isIdentity(context, where) && isIntegerSpelling(name)) {
    // A fresh identity in another spelling; the edges of the range can be sent but once.
    const fresh = context.identities?.text(number) ?? '1'
    const spelled = put(
      context,
      draft,
      where,
      value(fresh + (name === 'decimal-form' ? '.0' : index % 2 === 0 ? 'e0' : 'E+0')),
      number,
    )
    return spelled === null ? null : { ...spelled, renewable: false }
  }
  return put(context, draft, where, value(text), number)
}

const loadSizes = { pairing: 96, consistency: 24, drift: 24, recovery: 12 } as const

const loadMaker = (name: keyof typeof loadSizes, base: (number: number, index: number) => Draft): Maker =>
  finite(
    loadSizes[name],
    (index, number) => base(number, index),
    name === 'recovery' ? 'after-refused' : 'any',
  )
