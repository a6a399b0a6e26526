import {
  bodyMedia,
  type Headers,
  type Json,
  type Operation,
  placeholder,
  type Request,
  type Scheme,
  testedScheme,
  writeParameter,
} from '../spec/index.ts'
import type { Draft } from './case.ts'
import { encodeBody } from './encode.ts'

type Credentials = {
  readonly headers: Headers
  readonly query: readonly string[]
  readonly cookies: readonly string[]
}

/** Writes a draft as the request that goes over the wire, with placeholders for the token. */
export const renderRequest = (operation: Operation, draft: Draft): Request => {
  const written = operation.parameters.flatMap(parameter => {
    const value = draft.parameters[parameter.name]
    return value === undefined ? [] : [{ parameter, ...writeParameter(parameter, value as Json) }]
  })
  const path = written.reduce(
    (template, { parameter, path: text }) =>
      text === null ? template : template.replace(`{${parameter.name}}`, text),
    draft.path,
  )
  const credentials = credentialsOf(operation, draft)
  const query = [...written.flatMap(({ query: text }) => text ?? []), ...credentials.query].filter(Boolean)
  const cookies = [...written.flatMap(({ cookie }) => cookie ?? []), ...credentials.cookies]
  const body = encodeBody(draft.body, draft.encoding, bodyMedia(operation)?.form ?? null)
  return {
    method: draft.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ['Accept', 'application/json, */*;q=0.1'],
      ...(draft.contentType === null ? [] : [['Content-Type', draft.contentType] as const]),
      ...written.flatMap(({ parameter, header }) =>
        header === null ? [] : [[parameter.name, header] as const],
      ),
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
      ...credentials.headers,
    ],
    body,
    chunked: draft.chunked,
  }
}

const credentialsOf = (operation: Operation, { credentials }: Draft): Credentials => {
  const tested = testedScheme({ operation })
  return (operation.security[0] ?? []).reduce<Credentials>(
    (all, scheme) => {
      const own =
        credentials !== null && scheme === tested
          ? otherCredentials(scheme, credentials)
          : rightCredentials(scheme)
      return {
        headers: [...all.headers, ...own.headers],
        query: [...all.query, ...own.query],
        cookies: [...all.cookies, ...own.cookies],
      }
    },
    { headers: [], query: [], cookies: [] },
  )
}

const none: Credentials = { headers: [], query: [], cookies: [] }

const rightCredentials = (scheme: Scheme): Credentials => {
  switch (scheme.kind) {
    case 'bearer':
      return { ...none, headers: [['Authorization', `Bearer ${placeholder('right')}`]] }
    case 'basic':
      return { ...none, headers: [['Authorization', `Basic ${placeholder('basic')}`]] }
    case 'apiKey':
      return keyCredentials(scheme, placeholder('right'))
    case 'other':
      return none
  }
}

const otherCredentials = (scheme: Scheme, { kind, pick }: NonNullable<Draft['credentials']>): Credentials => {
  const values = kind.variants[pick % kind.variants.length] ?? []
  const query = kind.query === null ? [] : [kind.query]
  const [first] = values
  if (first === undefined) return { ...none, query }
  if (scheme.kind === 'apiKey') return keyCredentials(scheme, first)
  return { ...none, headers: values.map(value => ['Authorization', value] as const), query }
}

const keyCredentials = (scheme: Extract<Scheme, { kind: 'apiKey' }>, value: string): Credentials => {
  switch (scheme.in) {
    case 'header':
      return { ...none, headers: [[scheme.key, value]] }
    case 'query':
      return { ...none, query: [`${encodeURIComponent(scheme.key)}=${value}`] }
    case 'cookie':
      return { ...none, cookies: [`${scheme.key}=${value}`] }
  }
}
