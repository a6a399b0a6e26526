import type { Answer, Asked, Cause, NewPlant, Parts, Reply } from './model.ts'
import { silence } from './model.ts'

/** What a store may do instead of answering as it should. */
export type Failing = (answer: Answer, asked: Asked) => Reply

export const withJson = (answer: Answer, status: number, value: unknown): Answer => ({
  ...answer,
  status,
  headers: { ...answer.headers, 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const withText = (answer: Answer, status: number, body: string, type = 'text/plain'): Answer => ({
  ...answer,
  status,
  headers: { ...answer.headers, 'content-type': type },
  body,
})

export const crash: Failing = answer => withJson(answer, 500, { error: 500, message: 'internal error' })

export const crashPage: Failing = answer =>
  withText(answer, 500, '<!doctype html><title>Error</title><pre>Internal Server Error</pre>', 'text/html')

export const refuse: Failing = answer => withJson(answer, 400, { error: 7, message: 'refused' })

export const unprocessable: Failing = answer =>
  withJson(answer, 422, { error: 422, message: 'unprocessable' })

export const hang: Failing = () => silence

export const reset: Failing = (_, asked) => {
  asked.request.socket.resetAndDestroy()
  return silence
}

export const hangUp: Failing = (_, asked) => {
  asked.request.socket.destroy()
  return silence
}

/** Fails on the refusals of one cause. */
export const on = (causes: Cause | readonly Cause[], failing: Failing): Pick<Parts, 'respond'> => ({
  respond: (answer, asked) => ([causes].flat().includes(answer.cause) ? failing(answer, asked) : answer),
})

/** Fails where the request looks a certain way. */
export const when = (
  looks: (asked: Asked, answer: Answer) => boolean,
  failing: Failing,
): Pick<Parts, 'respond'> => ({
  respond: (answer, asked) => (looks(asked, answer) ? failing(answer, asked) : answer),
})

/** Fails on plants of a certain kind, valid in themselves. */
export const onPlant = (looks: (plant: NewPlant) => boolean, failing: Failing): Pick<Parts, 'respond'> => ({
  respond: (answer, asked) =>
    answer.cause === 'none' && answer.plant && looks(answer.plant) ? failing(answer, asked) : answer,
})

export const bodyText = (asked: Asked): string => asked.bytes.toString('utf8')
