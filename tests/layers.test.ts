/** Who may know whom: docs/architecture.md says it, this holds it. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const rooms: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  generator: ['spec'],
  mock: ['spec', 'generator'],
  conformance: ['spec', 'generator'],
  reports: ['spec'],
  'playwright-runner': ['spec', 'conformance', 'reports'],
  cli: ['spec', 'generator', 'mock', 'conformance', 'reports'],
  // Of cli/ no more than what a configuration is written with.
  'index.ts': ['spec', 'mock', 'conformance', 'reports', 'cli'],
}

/**
 * The order of the sub-rooms: a file imports from its own sub-room and from those before it. The empty name is the room's own
 * folder, and a name that ends in `.ts` is one file.
 */
const subRooms: Readonly<Record<string, readonly string[]>> = {
  spec: [
    'defaults.ts',
    'json',
    'text',
    'http',
    'patterns',
    'schema',
    'openapi/diagnostic.ts',
    'errors.ts',
    'prism-library.ts',
    'prism.ts',
    // What resources are called follows from nothing else.
    'resources/names.ts',
    'openapi',
    'openapi/discriminators',
    // Changes of a document that stand in a file of their own.
    'openapi/overlay',
    // Documents of other formats.
    'openapi/conversion',
    'openapi/unsatisfiable',
    'openapi/check',
    'contract',
    'credentials',
    'routes',
    'serialization',
    'bodies',
    // What clients use of an API.
    'usage',
    'obligations',
    'obligations/inputs/malformed-http',
    'obligations/inputs',
    'obligations/matches',
    'resources',
    'obligations/derive',
    // Workflows of Arazzo documents.
    'flows',
    'judge',
    // What a server sends to URLs of its clients.
    'callbacks',
    'traceability',
    'ledger',
    '',
  ],
  generator: ['read', 'domains', 'oracles', 'constraints', 'draw', 'violate', ''],
  mock: [
    'defaults.ts',
    'errors.ts',
    'lru-cache.ts',
    'memo.ts',
    // Which parameter does what follows from the contract alone.
    'rules',
    'chance',
    'values/likely',
    'values',
    // Responses that are a sequence of items.
    'streams',
    'media',
    'failures',
    'preferences',
    'engine',
    'resources',
    'documents',
    'middleware',
    'admin',
    'mutants',
    // What a run saw of a server.
    'learned',
    // Answers of the user's own.
    'answers',
    'scenarios',
    // Tokens that responses gave.
    'tokens',
    // What requests create, change and remove.
    'state',
    // What is sent after the answer.
    'callbacks',
    'console/messages.ts',
    'console/scenario-messages.ts',
    'console/page/ui',
    'console/page/state',
    'console/page/views',
    'console/page',
    'console/samples',
    'console',
    'server',
    // To a server behind the mock.
    'proxy',
    // What files have recorded of a server.
    'recorded',
    // Its options are those of every mount, the server's among them.
    'mounts',
    '',
  ],
  conformance: [
    'defaults.ts',
    'errors.ts',
    'cases',
    'cases/conditions',
    'cases/names',
    'cases/strategies',
    'plan',
    'options',
    'pool',
    'send/transport',
    'send',
    'judge',
    'state',
    // Workflows of Arazzo documents.
    'flows',
    // Requests that the server sends.
    'callbacks',
    // Whether it is the server's fault that nothing works.
    'set-up',
    'confirm',
    // Two documents, without any server.
    'evolve',
    'evolve/consumers',
    // What every part of a run has: its options, its clock, the way to the server.
    'session',
    // How each operation comes to its first accepted request.
    'reach',
    'execute',
    'diagnose',
    'verdict',
    'shards',
    '',
  ],
  reports: [
    'defaults.ts',
    'errors.ts',
    'text',
    'ledger',
    'view',
    'formats/har',
    'formats/postman',
    'formats/markdown',
    'formats/terminal',
    'formats/html',
    'formats/wfc',
    'record',
    'regression',
    // What would make the document say what the server does.
    'overlay',
    'formats',
    'diff',
    'compare',
    'bundle',
    '',
  ],
  cli: [
    'process',
    'options',
    'config',
    'inputs/flows',
    'inputs',
    'inputs/tokens',
    // The embedded mock takes the token that the suite sends.
    'inputs/embedded.ts',
    'outputs',
    'handlers/bundle',
    'handlers/completion',
    'handlers/explain',
    'handlers/mcp',
    'handlers/selftest',
    'handlers/verify',
    'handlers',
    'commands',
    '',
  ],
}

/** A foreign package is imported by these files and no others, so that replacing it touches little. */
const doors: Readonly<Record<string, readonly string[]>> = {
  '@faker-js/faker': ['spec/prism-library.ts'],
  '@hyperjump/json-schema': ['generator/oracles/hyperjump-oracle.ts'],
  '@peculiar/asn1-cms': ['reports/bundle/tsp-library.ts'],
  '@peculiar/asn1-schema': ['reports/bundle/tsp-library.ts'],
  '@peculiar/asn1-tsp': ['reports/bundle/tsp-library.ts'],
  '@peculiar/x509': ['mock/server/self-signed.ts'],
  '@rgrove/parse-xml': ['spec/bodies/parse-xml.ts'],
  '@stoplight/prism-http': ['spec/prism-library.ts'],
  '@apidevtools/swagger-parser': ['spec/openapi/files.ts', 'spec/openapi/official-schema.ts'],
  '@modelcontextprotocol/sdk': ['cli/'],
  asn1js: ['reports/bundle/tsp-library.ts'],
  ajv: [
    'spec/schema/formats.ts',
    'spec/schema/lazy-references.ts',
    'spec/schema/open-null.ts',
    'spec/schema/validator.ts',
  ],
  'ajv-formats': ['spec/schema/formats.ts'],
  chokidar: ['mock/documents/watch-documents.ts'],
  commander: ['cli/'],
  'fast-check': ['generator/draw/fast-check.ts'],
  htm: ['mock/console/page/ui/html.ts'],
  fflate: ['reports/bundle/pack.ts'],
  oauth4webapi: ['cli/'],
  fontoxpath: ['spec/flows/xpath-library.ts'],
  slimdom: ['spec/flows/xpath-library.ts'],
  'json-p3': ['spec/openapi/overlay/json-path-library.ts'],
  'lru-cache': ['mock/lru-cache.ts'],
  // These are the user's own: optional peers, of mounts of the mock and of the suite as tests (of the latter and of Vite only
  // types); and what prints a certificate.
  marked: ['mock/console/page/ui/markdown.ts'],
  msw: ['mock/mounts/msw.ts'],
  playwright: [
    'cli/',
    'mock/mounts/playwright-route.ts',
    'mock/mounts/playwright.ts',
    'playwright-runner/contract-tests.ts',
    'playwright-runner/reporter.ts',
  ],
  // What @peculiar/x509 wants to be there.
  'reflect-metadata': ['mock/server/self-signed.ts'],
  preact: ['mock/console/page/ui/html.ts'],
  refa: ['spec/patterns/automaton.ts'],
  negotiator: ['mock/media/negotiate.ts'],
  'proxy-from-env': ['cli/'],
  'sonic-boom': ['cli/'],
  undici: ['conformance/send/transport/pool.ts'],
  vite: ['mock/mounts/vite.ts'],
  // The document itself, with the line of every place; and the rules file beside it.
  yaml: ['cli/', 'spec/openapi/parse-text.ts', 'spec/openapi/source-map.ts'],
}

/** Clock, chance and environment belong to cli/; these say in their docstrings what they default to. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  'conformance/index.ts': ['Math.random', 'new Date()'],
  'mock/mounts/build.ts': ['Date.now'],
}

const files = [
  'index.ts',
  ...globSync('{spec,generator,mock,conformance,reports,playwright-runner,cli}/**/*.ts', { cwd: root }),
].sort()
const texts = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
const edges = files.flatMap(from => importsOf(texts.get(from) ?? '').map(name => ({ from, name })))

const roomOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : file)
/** `conformance/cases` for `conformance/cases/case.ts`; a file that the table names is a sub-room by itself. */
const subRoomOf = (file: string): string => {
  const isListed = subRooms[roomOf(file)]?.includes(file.slice(roomOf(file).length + 1)) === true
  return isListed ? file : dirname(file)
}
const rankOf = (file: string): number =>
  subRooms[roomOf(file)]?.indexOf(subRoomOf(file).slice(roomOf(file).length + 1)) ?? 0
const isLocal = (name: string): boolean => name.startsWith('.')
const fileOf = (from: string, name: string): string => normalize(join(dirname(from), name))
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const local = edges
  .filter(({ name }) => isLocal(name))
  .map(({ from, name }) => ({ from, to: fileOf(from, name) }))
const foreign = edges.filter(({ name }) => !isLocal(name) && !name.startsWith('node:'))
const arrow = ({ from, to }: { from: string; to: string }): string => `${from} → ${to}`

describe('rooms', () => {
  test('there is something to judge: every room has files, and they import each other', () => {
    for (const room of Object.keys(rooms)) expect(files.some(file => roomOf(file) === room)).toBe(true)
    expect(local.length).toBeGreaterThan(200)
  })

  test('a room imports only the rooms that it may know', () => {
    const forbidden = local.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)]
      return room !== other && !rooms[room]?.includes(other)
    })
    expect(forbidden.map(arrow)).toEqual([])
  })

  test('a room is entered through its index.ts, or its defaults.ts, which loads nothing', () => {
    const doorsOf = (room: string): readonly string[] => [`${room}/index.ts`, `${room}/defaults.ts`]
    const sideways = local.filter(({ from, to }) => {
      const other = roomOf(to)
      return roomOf(from) !== other && !doorsOf(other).includes(to)
    })
    expect(local.filter(({ from }) => basename(from) === 'defaults.ts').map(arrow)).toEqual([])
    expect(sideways.map(arrow)).toEqual([])
  })

  test('no file imports its own room’s index.ts, but the entry for users, which nobody imports', () => {
    const isEntry = (file: string): boolean => file === `${roomOf(file)}/entry.ts`
    const inward = local.filter(
      ({ from, to }) => roomOf(from) === roomOf(to) && to === `${roomOf(to)}/index.ts` && !isEntry(from),
    )
    expect(inward.map(arrow)).toEqual([])
    expect(local.filter(({ to }) => isEntry(to)).map(arrow)).toEqual([])
  })

  test('a sub-room imports only those before it, in the order of the table', () => {
    const upward = local.filter(({ from, to }) => roomOf(from) === roomOf(to) && rankOf(from) < rankOf(to))
    expect(upward.map(arrow)).toEqual([])
  })

  test('every sub-room of the table has files, and every file stands in one', () => {
    const found = new Set(files.filter(file => roomOf(file) in subRooms).map(subRoomOf))
    const listed = Object.entries(subRooms).flatMap(([room, names]) => names.map(name => join(room, name)))
    expect([...found].sort()).toEqual(listed.sort())
  })

  test('a room’s own folder has at most 12 files, a sub-room 20', () => {
    const sizes = Map.groupBy(files, dirname)
    const crowded = [...sizes]
      .filter(([folder, { length }]) => length > (folder.includes('/') ? 20 : 12))
      .map(([folder, { length }]) => `${folder}: ${length}`)
    expect(crowded).toEqual([])
  })

  test('files do not import each other in a circle', () => {
    expect(circles(local)).toEqual([])
  })
})

describe('doors', () => {
  test('each foreign package is imported by the files that the table names, and by all of them', () => {
    const found: Record<string, string[]> = {}
    for (const { from, name: path } of foreign) {
      const door = from.startsWith('cli/') ? 'cli/' : from
      const name = packageOf(path)
      found[name] = [...new Set([...(found[name] ?? []), door])]
    }
    expect(found).toEqual(doors)
  })

  test('each foreign package has an exact version: a dependency, one that the build bundles, or an optional peer', () => {
    const read = (file: string): Record<string, Record<string, string>> =>
      JSON.parse(readFileSync(join(root, file), 'utf8'))
    const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = read('package.json')
    const { dependencies: bundled } = read('bundled/package.json')
    expect(peerDependenciesMeta).toEqual(
      Object.fromEntries(Object.keys(peerDependencies ?? {}).map(name => [name, { optional: true }])),
    )
    const peers = Object.keys(peerDependencies ?? {}).map(name => [name, devDependencies?.[name]] as const)
    const own = [...Object.entries(dependencies ?? {}), ...Object.entries(bundled ?? {})]
    const declared = [...own, ...peers].filter(([name]) => name in doors)
    expect(declared.map(([name]) => name).sort()).toEqual(Object.keys(doors).sort())
    for (const [name, version] of declared) expect(`${name} ${version}`).toMatch(/ \d+\.\d+\.\d+$/)
  })
})

describe('surroundings', () => {
  test('only cli/ reads arguments, environment, clock and chance, but for the documented defaults', () => {
    const words = /process\.(?:argv|env)\b|Date\.now\b|Math\.random\b|new Date\(\)/g
    const found = Object.fromEntries(
      [...texts]
        .filter(([file]) => roomOf(file) !== 'cli')
        .map(([file, text]) => [file, [...new Set(text.match(words))].sort()] as const)
        .filter(([, names]) => names.length > 0),
    )
    expect(found).toEqual(defaults)
  })

  test('nothing outside the document and the tests knows of plants', () => {
    // The name of the product, of its own document and of its environment variable are not plants.
    const ourNames = /plant-?store|PLANTSTORE/gi
    const found = files.filter(file => /plant/i.test(stripped(texts.get(file) ?? '').replace(ourNames, '')))
    expect(found.filter(file => !file.startsWith('cli/'))).toEqual([])
  })
})

/** The one limit on the length of a file, in lines. */
const mostLines = 250

describe('files', () => {
  test('none is longer than the limit: it would be two things', () => {
    const long = [...texts]
      .map(([file, text]) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > mostLines)
    expect(long).toEqual([])
  })

  test('files and folders are named in kebab-case', () => {
    const names = files.flatMap(file => file.split('/'))
    expect(names.filter(name => !/^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.d)?(\.ts)?$/.test(name))).toEqual([])
  })

  test('none is named after nothing in particular', () => {
    const vague = /^(utils?|helpers?|common|types?|misc|shared|lib)$/
    const names = files.flatMap(file => [...file.split('/').slice(0, -1), basename(file, '.ts')])
    expect(names.filter(name => vague.test(name))).toEqual([])
  })

  test('everything is exported by name', () => {
    expect(files.filter(file => /^export default\b/m.test(texts.get(file) ?? ''))).toEqual([])
  })
})

/** Text without comments, where examples may speak of anything. */
function stripped(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** Each circle once, as the path around it. */
function circles(pairs: readonly { from: string; to: string }[]): readonly string[] {
  const next = Map.groupBy(pairs, ({ from }) => from)
  const done = new Set<string>()
  const found: string[] = []
  const walk = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) walk(file, [])
  return found
}
