import { follow } from '../../json/follow-refs.ts'
import { localReference, type Pointer, step, valueAt } from '../../json/pointer.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import { type Check, type Fault, nameOf, type Warn } from './findings.ts'

const isMediaType = (text: string): boolean => /^(?:[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+)\s*(?:;.*)?$/s.test(text)

/** Whether an object is a reference that leads to nothing. */
export const isUnresolved = (document: MutableNode, value: unknown): boolean => {
  if (!isTable(value) || typeof value.$ref !== 'string') return false
  const pointer = localReference(value.$ref)
  if (pointer === null) return true
  const { node } = follow(document, pointer)
  return typeof node.$ref === 'string' || Object.keys(node).length === 0
}

type Options = { readonly check: Check; readonly version: string; readonly warn: Warn }

/** The parts of an operation of which some can be used if others cannot. */
export const createPartChecks = (document: MutableNode, { check, version, warn }: Options) => {
  /** An optional parameter that cannot be used is not sent. */
  const parameters = (value: unknown, at: Pointer): readonly Fault[] => {
    if (!Array.isArray(value)) return [{ message: `${nameOf(at)} must be a list`, at }]
    const faults: Fault[] = []
    for (const [index, item] of value.entries()) {
      const found = check('parameter', item, step(at, index), 'request')
      if (isUnresolved(document, item)) {
        // Whether its operation can do without it depends on the path.
        for (const { message, at, ...more } of found) warn(`${message}: the parameter is left out`, at, more)
        continue
      }
      if (found.length === 0) continue
      const node = isTable(item) ? target(item) : null
      // What has been left out before, when the document was bundled.
      if (item === null) warn(`${nameOf(step(at, index))} must be an object: it is left out`, step(at, index))
      else if (node === null || node.required === true || node.in === 'path') faults.push(...found)
      else {
        for (const { message, at, ...more } of found)
          warn(`${message}: the optional parameter is left out`, at, more)
        value[index] = null
      }
    }
    return faults
  }

  const target = (node: MutableNode): MutableNode | null => {
    const pointer = typeof node.$ref === 'string' ? localReference(node.$ref) : null
    const found = typeof node.$ref !== 'string' ? node : pointer === null ? null : valueAt(document, pointer)
    return isTable(found) && typeof found.in === 'string' ? found : null
  }

  /** Takes out what is no media type, such as a field at a wrong indentation. */
  const mediaTypes = (content: MutableNode, at: Pointer): readonly Fault[] => {
    const wrong = Object.keys(content).filter(type => !isMediaType(type) && !type.startsWith('x-'))
    const faults = wrong.map(type => ({
      message: `"${type}" is no media type${/^(?:json|xml|yaml|pdf|zip)$/i.test(type) ? `, such as application/${type}` : ''}`,
      at: step(at, type),
    }))
    for (const type of wrong) delete content[type]
    if (Object.keys(content).length > 0 || at.includes('/responses/'))
      for (const { message, at } of faults) warn(`${message}: it is left out`, at)
    return faults
  }

  /** Of several media types of a body, those that can be used are sent. */
  const content = (value: unknown, at: Pointer): readonly Fault[] => {
    if (!isTable(value)) return [{ message: `${nameOf(at)} must be an object`, at }]
    const unnamed = mediaTypes(value, at)
    if (unnamed.length > 0 && Object.keys(value).length === 0) return unnamed
    const wrong = Object.keys(value)
      .filter(type => !type.startsWith('x-'))
      .map(type => ({ type, faults: check('media', value[type], step(at, type), 'request') }))
      .filter(({ faults }) => faults.length > 0)
    if (wrong.length > 0 && wrong.length === Object.keys(value).length)
      return wrong.flatMap(({ faults }) => faults)
    for (const { type, faults } of wrong) {
      for (const { message, at, ...more } of faults)
        warn(`${message}: bodies of ${type} are left out`, at, more)
      delete value[type]
    }
    return []
  }

  const responses = (value: unknown, at: Pointer): readonly Fault[] => {
    if (!isTable(value)) return [{ message: `${nameOf(at)} must be an object`, at }]
    if (Object.keys(value).length === 0) warn('the operation declares no response', at)
    for (const [status, response] of Object.entries(value)) {
      if (status.startsWith('x-')) continue
      if (!/^([1-5](\d\d|XX)|default)$/i.test(status)) {
        warn(
          `${nameOf(at)} has no field "${status}" in ${version}: statuses are three digits, such as 200, or 2XX`,
          step(at, status),
        )
        delete value[status]
        continue
      }
      const faults = check('response', response, step(at, status), 'response')
      if (faults.length === 0) continue
      for (const { message, at, ...more } of faults)
        warn(`${message}: the status counts as declared, and its body is not checked`, at, more)
      value[status] = { description: '' }
    }
    return []
  }

  return { parameters, content, mediaTypes, responses }
}
