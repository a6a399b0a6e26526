import type { AnswerHeaders } from '../answers/compose.ts'
import type {
  AnyOperations,
  BodyOf,
  OperationId,
  RequestOf,
  StatusOf,
  SuccessBody,
  WhenOf,
} from '../answers/operation-types.ts'
import type { Scenario } from '../scenarios/registry.ts'
import type { AddedScenario, Scenarios } from '../scenarios/scenarios.ts'

/** Which requests get an answer, and what else is said of its response. */
export type AnswerOptions<O extends object = AnyOperations, Id extends OperationId<O> = OperationId<O>> = {
  readonly headers?: AnswerHeaders | undefined
  /** Default: all valid requests for the operation; with a status, the invalid ones as well. */
  readonly when?: WhenOf<O, Id> | undefined
  /** How many requests get it. Default: all. */
  readonly times?: number | undefined
  /** The only client that gets it, by its `Plantstore-Client`. Default: all that have no scenarios of their own. */
  readonly client?: string | undefined
}

type Given<O extends object, Id extends OperationId<O>, Body> =
  | Body
  | ((request: RequestOf<O, Id>) => Body | Promise<Body>)

type WithoutStatus = { readonly status?: undefined; readonly undeclared?: false | undefined }

/** The status, and what breaks the contract on purpose. */
type WithStatus<Status> = { readonly status: Status; readonly undeclared?: false | undefined }

type Undeclared = { readonly status?: number | undefined; readonly undeclared: true }

/** Answers of the user's own. `O`: the `operations` that openapi-typescript writes for the document. */
export type Answering<O extends object = AnyOperations> = {
  /**
   * Answers an operation with this body, or with what a function makes of the request, instead of its usual response: a
   * scenario that wins over all that were set before. What breaks the contract is refused with a ScenarioError, unless
   * `undeclared` is set; what a function returns is judged when it is sent. Undefined: the usual body of the status.
   *
   * @example
   * const answer = await mock.answer('listProducts', { items: [] }, { times: 1 })
   * answer.requests.length
   * answer.undo()
   */
  answer<Id extends OperationId<O>>(
    operation: Id,
    body: Given<O, Id, SuccessBody<O, Id>>,
    options?: AnswerOptions<O, Id> & WithoutStatus,
  ): Promise<AddedScenario>
  answer<Id extends OperationId<O>, Status extends StatusOf<O, Id>>(
    operation: Id,
    body: Given<O, Id, BodyOf<O, Id, Status>> | undefined,
    options: AnswerOptions<O, Id> & WithStatus<Status>,
  ): Promise<AddedScenario>
  answer<Id extends OperationId<O>>(
    operation: Id,
    body: unknown,
    options: AnswerOptions<O, Id> & Undeclared,
  ): Promise<AddedScenario>
}

type AllOptions = AnswerOptions & Partial<Undeclared | WithStatus<number>>

export const createAnswer =
  (scenarios: Scenarios) =>
  async (
    operation: string,
    body: unknown,
    { client, ...options }: AllOptions = {},
  ): Promise<AddedScenario> => {
    const parts = Object.entries({ body, ...options }).filter(([, value]) => value !== undefined)
    const scenario = Object.fromEntries(parts) as Scenario
    return (client === undefined ? scenarios : scenarios.of(client)).add(operation, scenario)
  }
