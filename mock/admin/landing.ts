import { header } from '../../spec/index.ts'
import { adminPrefix } from '../documents/prefix.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { pathOf } from '../engine/request.ts'
import { textResponse } from './routes.ts'

/**
 * What a browser asks for that is given the address of the mock: `/` leads to the console, and there is no icon. Only if no
 * document declares these paths; neither is recorded.
 */
export const landing =
  (documents: () => readonly ServedDocument[]): Middleware =>
  (context, next) => {
    const { method, target, headers } = context.request
    if (method !== 'GET' || (target !== '/' && target !== '/favicon.ico')) return next(context)
    const accept = header(headers, 'accept') ?? ''
    const isWanted = target === '/' ? accept.includes('text/html') : /image\/|\*\/\*/.test(accept)
    if (!isWanted || documents().some(document => declares(document, target))) return next(context)
    if (target === '/favicon.ico') return textResponse(404, 'there is no icon')
    const console = `${adminPrefix}/`
    const { headers: lines, ...response } = textResponse(302, `the console of the mock is at ${console}`)
    return { ...response, headers: [...lines, ['Location', console], ['Cache-Control', 'no-store']] }
  }

const declares = ({ prefix, engine }: ServedDocument, target: string): boolean =>
  pathOf(target).startsWith(prefix) &&
  engine.router('GET', pathOf(target.slice(prefix.length))).kind !== 'no-path'
