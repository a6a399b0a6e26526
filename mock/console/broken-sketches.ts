import {
  contextOf,
  credentialKinds,
  isOfBody,
  malformedKinds,
  type Operation,
  placeholder,
  placesOf,
  plainValue,
  type Subject,
  step,
  testedScheme,
  writeJson,
} from '../../spec/index.ts'
import type { Scene } from '../break/breaker.ts'
import { spoilt } from '../break/spoil.ts'
import type { Sketch } from './sample-request.ts'

/** Requests that may break an obligation, made from a valid one; whether they do is for a judge to say. */
export const brokenSketches = (
  { contract, operation }: Pick<Scene, 'contract' | 'operation'>,
  subject: Subject,
  valid: Sketch,
): readonly Sketch[] => {
  switch (subject.kind) {
    case 'keyword': {
      const { where, keyword, detail } = subject
      const place = keyword === 'required' ? step(where.place, detail) : where.place
      if (isOfBody(where)) {
        const { body } = contextOf(contract, operation)
        if (body === null || valid.body === undefined) return []
        return spoilt(body.root, valid.body, { place, keyword }).map(value => ({ ...valid, body: value }))
      }
      const parameter = operation.parameters.find(own => own.name === where.name && own.in === where.in)
      if (parameter?.schema == null) return []
      const root = placesOf(contract.document, parameter.schema)
      const value = valid.parameters[where.name] ?? plainValue(root, null, 'Sample')
      return spoilt(root, value, { place, keyword }).map(wrong => ({
        ...valid,
        parameters: { ...valid.parameters, [where.name]: wrong },
      }))
    }
    case 'malformed': {
      const kind = malformedKinds.find(({ name }) => name === subject.name)
      const bytes = kind?.make(writeJson(valid.body ?? {}), 0) ?? new Uint8Array()
      const text = Buffer.from(bytes).toString()
      // What is no text cannot be put into the form.
      return Buffer.from(text).equals(bytes) && !text.includes('\0') ? [{ ...valid, text }] : []
    }
    case 'no-body':
      return subject.name === 'absent'
        ? [{ ...valid, body: undefined, contentType: null }]
        : [{ ...valid, text: subject.name === 'empty' ? '' : '{}' }]
    case 'media':
      return subject.accepted ? [] : subject.contentTypes.map(contentType => ({ ...valid, contentType }))
    case 'missing-parameter': {
      const { [subject.where.name]: _, ...parameters } = valid.parameters
      return [{ ...valid, parameters }]
    }
    case 'credentials':
      return subject.accepted ? [] : wrongCredentials(operation, subject.name, valid)
    default:
      return []
  }
}

const wrongCredentials = (operation: Operation, name: string, valid: Sketch): readonly Sketch[] => {
  const scheme = testedScheme({ operation })
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (kind === undefined || kind.query !== null || kind.invalidBody || kind.afterAccepted) return []
  const known = [placeholder('right'), placeholder('basic')]
  return kind.variants
    .filter(values =>
      values.every(value => !/\{\{/.test(known.reduce((text, form) => text.replaceAll(form, ''), value))),
    )
    .map(credentials => ({ ...valid, credentials }))
}
