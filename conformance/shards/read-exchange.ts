import type { HttpRequest, Outcome, RecordedOutcome, RecordedRequest } from '../../spec/index.ts'

const bytesOf = ({
  data,
  encoding,
}: {
  readonly data: string
  readonly encoding: 'utf8' | 'base64'
}): Uint8Array => Buffer.from(data, encoding)

export const readRequest = ({ body, ...rest }: RecordedRequest): HttpRequest => ({
  ...rest,
  body: body === null ? null : bytesOf(body),
})

export const readOutcome = (outcome: RecordedOutcome): Outcome => {
  if (outcome.kind === 'failure') return outcome
  const { status, headers, body, ...rest } = outcome
  return { ...rest, response: { status, headers, body: bytesOf(body) } }
}
