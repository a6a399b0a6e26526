import { type Pointer, step } from '../../json/pointer.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import type { Warn } from './findings.ts'
import { keyNameProblem } from './key-field.ts'

type Reports = { readonly warn: Warn; readonly fault: Warn }

/** The fields that a security scheme has by its type, beside those of every scheme. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['name', 'in'],
  http: ['scheme', 'bearerFormat'],
  mutualTLS: [],
  oauth2: ['flows', 'oauth2MetadataUrl'],
  openIdConnect: ['openIdConnectUrl'],
}

const ofEveryType = ['type', 'description', 'deprecated']

export const checkScheme = (node: MutableNode, at: Pointer, { warn, fault }: Reports): void => {
  const type = String(node.type)
  const fields = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined
  if (fields === undefined) {
    warn('type must be apiKey, http, mutualTLS, oauth2 or openIdConnect', step(at, 'type'))
    return
  }
  const isBearer = /^bearer$/i.test(String(node.scheme))
  for (const name of Object.keys(node)) {
    const isOwn = fields.includes(name) && (name !== 'bearerFormat' || isBearer)
    if (!isOwn && !ofEveryType.includes(name) && !name.startsWith('x-'))
      warn(`a security scheme of the type ${type} has no field "${name}"`, step(at, name))
  }
  const need = (name: string, report: Warn): void => {
    if (typeof node[name] !== 'string')
      report(`a security scheme of the type ${type} must have required property '${name}'`, at)
  }
  if (type === 'apiKey') {
    need('name', fault)
    if (!['query', 'header', 'cookie'].includes(String(node.in)))
      fault('in must be query, header or cookie', node.in === undefined ? at : step(at, 'in'))
    else if (typeof node.name === 'string') {
      const problem = keyNameProblem(node.name, String(node.in))
      if (problem !== null) warn(problem, step(at, 'name'))
    }
  } else if (type === 'http') need('scheme', fault)
  else if (type === 'openIdConnect') need('openIdConnectUrl', warn)
  else if (type === 'oauth2' && !isTable(node.flows))
    warn("a security scheme of the type oauth2 must have required property 'flows'", at)
}

const urlsOf: Readonly<Record<string, readonly string[]>> = {
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  deviceAuthorization: ['deviceAuthorizationUrl', 'tokenUrl'],
}

const optional = ['refreshUrl', 'scopes']

export const checkFlows = (node: MutableNode, at: Pointer, { warn }: Reports): void => {
  for (const [flow, urls] of Object.entries(urlsOf)) {
    const fields = node[flow]
    if (!isTable(fields)) continue
    for (const url of urls)
      if (typeof fields[url] !== 'string')
        warn(`the flow ${flow} must have required property '${url}'`, step(at, flow))
    for (const name of Object.keys(fields))
      if (![...urls, ...optional].includes(name) && !name.startsWith('x-'))
        warn(`the flow ${flow} has no field "${name}"`, step(step(at, flow), name))
  }
}
