import type { Json, SchemaPlace } from '../spec/index.ts'

/** Why a request is refused: a documented code (docs/mock.md) and the reasons in words. */
export type Reason = { readonly code: number; readonly messages: readonly string[] }

const texts = [
  'message',
  'detail',
  'error_description',
  'description',
  'reason',
  'title',
  'error',
  'errors',
  'msg',
]
const numbers = ['error', 'code', 'errorCode', 'error_code', 'errno']

/** Fills the declared failure with the true reason: its text in the message, its code in the number. */
export const failureBody =
  (reason: Reason, status: number) =>
  (root: SchemaPlace): Json | undefined => {
    const message = reason.messages.join('; ')
    if (root.types?.includes('string')) return message
    const typeOf = (name: string): string =>
      root.children.find(({ pattern }) => pattern === `/${name}`)?.types?.join() ?? ''
    const first = (names: readonly string[], type: RegExp): string | undefined =>
      names.find(name => root.properties.includes(name) && type.test(typeOf(name)))
    const text = first(texts, /string/)
    const number = first(numbers, /integer|number/)
    const list = text === undefined ? first(texts, /array/) : undefined
    return {
      ...(number === undefined ? {} : { [number]: reason.code }),
      ...(root.properties.includes('status') && /integer|number/.test(typeOf('status')) ? { status } : {}),
      ...(text === undefined ? {} : { [text]: message }),
      ...(list === undefined ? {} : { [list]: reason.messages }),
    }
  }
