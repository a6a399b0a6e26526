import {
  credentialKinds,
  isOfBody,
  malformedKinds,
  type Operation,
  operationContext,
  placeholder,
  placesOf,
  plainValue,
  type Subject,
  step,
  writeJson,
} from '../../../spec/index.ts'
import { spoilt } from '../../mutants/invalidate.ts'
import type { MutationContext } from '../../mutants/mutation.ts'
import type { RequestSpec } from './sample-request.ts'

/** Requests made from a valid one that may violate an obligation. The caller has them judged. */
export const invalidRequestSpecs = (
  { contract, operation }: Pick<MutationContext, 'contract' | 'operation'>,
  subject: Subject,
  valid: RequestSpec,
): readonly RequestSpec[] => {
  switch (subject.kind) {
    case 'keyword': {
      const { location, keyword, detail } = subject
      const place = keyword === 'required' ? step(location.place, detail) : location.place
      if (isOfBody(location)) {
        const { body } = operationContext(contract, operation)
        if (body === null || valid.body === undefined) return []
        return spoilt(body.root, valid.body, { place, keyword }).map(value => ({ ...valid, body: value }))
      }
      const parameter = operation.parameters.find(
        parameter => parameter.name === location.name && parameter.in === location.in,
      )
      if (parameter?.schema == null) return []
      const root = placesOf(contract.requests.document, parameter.schema)
      const value = valid.parameters[location.name] ?? plainValue(root, null, 'Sample')
      return spoilt(root, value, { place, keyword }).map(invalid => ({
        ...valid,
        parameters: { ...valid.parameters, [location.name]: invalid },
      }))
    }
    case 'malformed': {
      const kind = malformedKinds.find(({ name }) => name === subject.name)
      const bytes = kind?.make(writeJson(valid.body ?? {}), 0) ?? new Uint8Array()
      const text = Buffer.from(bytes).toString()
      // The form can only hold text.
      return Buffer.from(text).equals(bytes) && !text.includes('\0') ? [{ ...valid, text }] : []
    }
    case 'no-body':
      return subject.name === 'absent'
        ? [{ ...valid, body: undefined, contentType: null }]
        : [{ ...valid, text: subject.name === 'empty' ? '' : '{}' }]
    case 'media':
      return subject.isAccepted ? [] : subject.contentTypes.map(contentType => ({ ...valid, contentType }))
    case 'missing-parameter': {
      const { [subject.location.name]: _, ...parameters } = valid.parameters
      return [{ ...valid, parameters }]
    }
    case 'displaced':
      return valid.body === undefined ? [] : [{ ...valid, body: { data: valid.body } }]
    case 'credentials':
      return subject.isAccepted ? [] : wrongCredentials(operation, subject.name, valid)
    default:
      return []
  }
}

const wrongCredentials = (operation: Operation, name: string, valid: RequestSpec): readonly RequestSpec[] => {
  const kind = credentialKinds(operation).find(kind => kind.name === name)
  if (kind === undefined || kind.extra.length > 0 || kind.invalidBody || kind.afterAccepted) return []
  // The page fills in these placeholders only.
  const fillable = [placeholder('right'), placeholder('basic')]
  const isFillable = (value: string): boolean =>
    !fillable.reduce((text, form) => text.replaceAll(form, ''), value).includes('{{')
  return (
    kind.variants
      .filter(values => values.every(isFillable))
      // A mock that accepts any token cannot know which part of these is one.
      .filter(values => !kind.needsToken || values.every(value => !value.includes('{{')))
      .map(credentials => ({ ...valid, credentials }))
  )
}
