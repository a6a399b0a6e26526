import { isObject, isOfBody, isShown, isShownIn, type Obligation, steps } from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import type { OperationModel } from './operation-model.ts'

/**
 * The request without those optional values that it cannot show, such as null in a query: nothing else that is in it has to go for them.
 * What the obligation is about stays, so that a request that cannot show it is none of its cases.
 */
export const shownSpec = (
  model: OperationModel,
  { subject }: Pick<Obligation, 'subject'>,
  spec: RequestSpec,
): RequestSpec => {
  if (isAllShown(model, spec)) return spec
  const location = 'location' in subject ? subject.location : null
  const isKept = (name: string, isBody: boolean): boolean =>
    (subject.kind === 'presence' && isBody && subject.present.includes(name)) ||
    (location !== null &&
      isOfBody(location) === isBody &&
      (isBody ? steps(location.place)[0] : location.name) === name)
  return {
    ...spec,
    parameters: Object.fromEntries(
      Object.entries(spec.parameters).filter(
        ([name, value]) =>
          isKept(name, false) ||
          model.parameters.every(
            ({ parameter, root }) =>
              parameter.name !== name || parameter.required || isShown(parameter, root, value),
          ),
      ),
    ),
    body: shownBody(model, spec, name => isKept(name, true)),
  }
}

const shownBody = (
  { body }: OperationModel,
  spec: RequestSpec,
  isKept: (name: string) => boolean,
): RequestSpec['body'] =>
  body === null || !isObject(spec.body) || !isWritten(spec)
    ? spec.body
    : Object.fromEntries(
        Object.entries(spec.body).filter(
          ([name, value]) =>
            isKept(name) ||
            body.root.required.includes(name) ||
            isShownIn(body.format, body.root, { [name]: value }),
        ),
      )

/** Whether a request shows all of its values: what it does not show would be something else on the other side. */
export const isAllShown = ({ parameters, body }: OperationModel, spec: RequestSpec): boolean =>
  parameters.every(({ parameter, root }) => {
    const value = spec.parameters[parameter.name]
    return value === undefined || isShown(parameter, root, value)
  }) &&
  (body === null ||
    spec.body === undefined ||
    !isWritten(spec) ||
    isShownIn(body.format, body.root, spec.body))

/** Whether the value of the body is what is sent, and not bytes of another kind. */
const isWritten = ({ encoding: { kind } }: RequestSpec): boolean =>
  kind === 'json' || kind === 'layout' || kind === 'part'
