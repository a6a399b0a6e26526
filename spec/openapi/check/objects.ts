/**
 * The objects of OpenAPI and their fields. A field holds a text, a flag or anything, or an object of another kind; `[]` is a list of them,
 * `{}` a map. `!`: it is required. `*`: the object around it cannot be used if it is wrong. `3.1:`: since this version.
 */
const kinds = {
  root: {
    openapi: 'text!',
    $self: '3.2:text',
    info: 'info!',
    jsonSchemaDialect: '3.1:text',
    servers: 'server[]',
    paths: 'any',
    webhooks: '3.1:any',
    components: 'components',
    security: 'security[]',
    tags: 'tag[]',
    externalDocs: 'externalDocs',
  },
  info: {
    title: 'text!',
    summary: '3.1:text',
    description: 'text',
    termsOfService: 'text',
    contact: 'contact',
    license: 'license',
    version: 'text!',
  },
  contact: { name: 'text', url: 'text', email: 'text' },
  license: { name: 'text!', identifier: '3.1:text', url: 'text' },
  server: { url: 'text!', description: 'text', name: '3.2:text', variables: 'serverVariable{}' },
  serverVariable: { enum: 'text[]', default: 'text!', description: 'text' },
  components: {
    schemas: 'any',
    responses: 'response{}',
    parameters: 'parameter{}',
    examples: 'example{}',
    requestBodies: 'requestBody{}',
    headers: 'header{}',
    securitySchemes: 'securityScheme{}',
    links: 'link{}',
    callbacks: 'callback{}',
    pathItems: '3.1:any',
    mediaTypes: '3.2:media{}',
  },
  pathItem: {
    $ref: 'text',
    summary: 'text',
    description: 'text',
    get: 'any',
    put: 'any',
    post: 'any',
    delete: 'any',
    options: 'any',
    head: 'any',
    patch: 'any',
    trace: 'any',
    query: '3.2:any',
    additionalOperations: '3.2:any',
    servers: 'server[]',
    parameters: 'parameters*',
  },
  operation: {
    tags: 'text[]',
    summary: 'text',
    description: 'text',
    externalDocs: 'externalDocs',
    operationId: 'text',
    parameters: 'parameters*',
    requestBody: 'requestBody*',
    responses: 'responses*',
    callbacks: 'callback{}',
    deprecated: 'flag',
    security: 'security[]*',
    servers: 'server[]',
  },
  externalDocs: { description: 'text', url: 'text!' },
  parameter: {
    name: 'text!*',
    in: 'text!*',
    description: 'text',
    required: 'flag*',
    deprecated: 'flag',
    allowEmptyValue: 'flag',
    style: 'text*',
    explode: 'flag*',
    allowReserved: 'flag',
    schema: 'schema*',
    example: 'any',
    examples: 'example{}',
    content: 'requestContent*',
  },
  requestBody: { description: 'text', content: 'requestContent!*', required: 'flag*' },
  media: {
    schema: 'schema*',
    itemSchema: '3.2:schema',
    example: 'any',
    examples: 'example{}',
    encoding: 'encoding{}*',
    prefixEncoding: '3.2:encoding[]',
    itemEncoding: '3.2:encoding',
  },
  encoding: {
    contentType: 'text*',
    headers: 'header{}',
    style: 'text*',
    explode: 'flag*',
    allowReserved: 'flag',
    encoding: '3.2:encoding{}',
    prefixEncoding: '3.2:encoding[]',
    itemEncoding: '3.2:encoding',
  },
  response: {
    summary: '3.2:text',
    description: 'text!',
    headers: 'header{}',
    content: 'media{}',
    links: 'link{}',
  },
  header: {
    description: 'text',
    required: 'flag*',
    deprecated: 'flag',
    allowEmptyValue: 'flag',
    style: 'text*',
    explode: 'flag*',
    allowReserved: 'flag',
    schema: 'schema',
    example: 'any',
    examples: 'example{}',
    content: 'media{}',
  },
  example: {
    summary: 'text',
    description: 'text',
    value: 'any',
    externalValue: 'text',
    dataValue: '3.2:any',
    serializedValue: '3.2:text',
  },
  link: {
    operationRef: 'text',
    operationId: 'text',
    parameters: 'linkValue{}',
    requestBody: 'any',
    description: 'text',
    server: 'server',
  },
  tag: {
    name: 'text!',
    summary: '3.2:text',
    description: 'text',
    externalDocs: 'externalDocs',
    parent: '3.2:text',
    kind: '3.2:text',
  },
  securityScheme: {
    type: 'text!*',
    description: 'text',
    name: 'text',
    in: 'text',
    scheme: 'text',
    bearerFormat: 'text',
    flows: 'flows',
    openIdConnectUrl: 'text',
    oauth2MetadataUrl: '3.2:text',
    deprecated: '3.2:flag',
  },
  flows: {
    implicit: 'flow',
    password: 'flow',
    clientCredentials: 'flow',
    authorizationCode: 'flow',
    deviceAuthorization: '3.2:flow',
  },
  flow: {
    authorizationUrl: 'text',
    deviceAuthorizationUrl: '3.2:text',
    tokenUrl: 'text',
    refreshUrl: 'text',
    scopes: 'text{}!',
  },
} as const

/** What a field holds, each member of it if it is a list or map. */
export type Field = {
  readonly holds: string
  readonly many: 'list' | 'map' | null
  readonly isRequired: boolean
  readonly isVital: boolean
  /** The minor version of OpenAPI 3 that brought it. */
  readonly since: number
}

const fieldOf = (text: string): Field => {
  const [, since, holds = '', many, required, vital] =
    /^(?:3\.(\d):)?(\w+)(\[\]|\{\})?(!?)(\*?)$/.exec(text) ?? []
  return {
    holds,
    many: many === undefined ? null : many === '[]' ? 'list' : 'map',
    isRequired: required === '!',
    isVital: vital === '*',
    since: Number(since ?? 0),
  }
}

/** The fields of each kind of object. */
export const objects: ReadonlyMap<string, ReadonlyMap<string, Field>> = new Map(
  Object.entries(kinds).map(([kind, fields]) => [
    kind,
    new Map(Object.entries(fields).map(([name, text]) => [name, fieldOf(text)])),
  ]),
)

/** The kinds that may stand elsewhere and be referred to, by their sections of `components`. */
export const sections: ReadonlyMap<string, string> = new Map([
  ['response', 'responses'],
  ['parameter', 'parameters'],
  ['example', 'examples'],
  ['requestBody', 'requestBodies'],
  ['header', 'headers'],
  ['securityScheme', 'securitySchemes'],
  ['link', 'links'],
  ['callback', 'callbacks'],
  ['media', 'mediaTypes'],
  ['pathItem', 'pathItems'],
])
