import { type OwnCommand, startSelf } from '../../process/run-self.ts'

/** What an agent can ask for: each tool is a command of ours. */

type Property = {
  readonly type: string
  readonly description: string
  readonly items?: { readonly type: string }
}

export type Tool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, Property>>
    readonly required: string[]
  }
  /** The arguments of the command; null: the tool starts or stops a mock. */
  readonly command: ((input: Input) => readonly string[]) | null
}

export type Input = Readonly<Record<string, unknown>>

const text = (description: string): Property => ({ type: 'string', description })

const spec = text('path or URL of the OpenAPI document')
const ledger = text('path of the ledger.ndjson of a run')

/** A flag with a value that cannot be taken for a flag; none if the input has no such value. */
const flag = (name: string, value: unknown): readonly string[] =>
  value === undefined || value === null || value === '' ? [] : [`${name}=${String(value)}`]

/** What follows cannot be taken for a flag. */
const positional = (...values: readonly unknown[]): readonly string[] => ['--', ...values.map(String)]

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The folder that a run writes to. */
export const folderOf = ({ out }: Input): string =>
  typeof out === 'string' && out !== '' ? out : 'plantstore-report'

export const tools: readonly Tool[] = [
  {
    name: 'verify',
    description:
      'Checks a live server against its OpenAPI document, and returns the causes of what does not conform. Each has the line of the document, the smallest request, what was expected, and the id to check it again with `replay`. It creates, changes and removes resources on the server. The token is taken from PLANTSTORE_TOKEN.',
    inputSchema: {
      type: 'object',
      properties: {
        url: text('base URL of the server, such as http://127.0.0.1:8080'),
        spec,
        only: {
          type: 'array',
          items: { type: 'string' },
          description: 'ids of requirements, or patterns with *: all else is left out',
        },
        seed: { type: 'integer', description: 'the same seed sends the same requests (default 1)' },
        maxTime: text('how long it may take, such as 60s or 5m (default: until each requirement is tested)'),
        out: text('folder for the reports (default plantstore-report)'),
      },
      required: ['url', 'spec'],
    },
    command: input => [
      'verify',
      ...flag('--spec', input.spec),
      ...flag('--seed', input.seed ?? 1),
      ...flag('--max-time', input.maxTime),
      ...listed(input.only).flatMap(each => flag('--only', each)),
      ...flag('--out', folderOf(input)),
      '--report=agent,json,html',
      '--quiet',
      ...positional(input.url),
    ],
  },
  {
    name: 'findings',
    description: 'Lists everything that a recorded run found, in full.',
    inputSchema: { type: 'object', properties: { ledger }, required: ['ledger'] },
    command: input => ['report', '--format=markdown', ...positional(input.ledger)],
  },
  {
    name: 'explain',
    description:
      'Explains one requirement by its id: the clause behind it, requests that test it, a response that passes and one that fails. With a ledger it explains a finding by its id: its cause, with all places, and the requirement.',
    inputSchema: {
      type: 'object',
      properties: {
        id: text(
          'id of a requirement, such as createPlant/auth/absent; with a ledger, id of a finding, such as 7f3',
        ),
        spec,
        ledger,
      },
      required: ['id', 'spec'],
    },
    command: input => [
      'explain',
      ...flag('--spec', input.spec),
      ...flag('--ledger', input.ledger),
      ...positional(input.id),
    ],
  },
  {
    name: 'replay',
    description:
      'Sends the request of one finding again, or all requests of its cause, and says whether they still fail.',
    inputSchema: {
      type: 'object',
      properties: {
        ledger,
        id: text('id of a finding, such as 7f3'),
        target: text('base URL of another server (default: the server of the run)'),
        cause: { type: 'boolean', description: 'whether to send all findings of the same cause, up to 20' },
      },
      required: ['ledger', 'id'],
    },
    command: input => [
      'replay',
      ...flag('--target', input.target),
      ...(input.cause === true ? ['--cause'] : []),
      ...positional(input.ledger, input.id),
    ],
  },
  {
    name: 'evolve',
    description: 'Tells what of a new version of a document breaks clients of the old one.',
    inputSchema: {
      type: 'object',
      properties: {
        old: text('path or URL of the old document'),
        new: text('path or URL of the new document'),
      },
      required: ['old', 'new'],
    },
    command: input => ['evolve', ...positional(input.old, input.new)],
  },
  {
    name: 'mock_start',
    description:
      'Starts a mock server that conforms to a document, on a free port of the loopback, and returns its URL.',
    inputSchema: { type: 'object', properties: { spec }, required: ['spec'] },
    command: null,
  },
  {
    name: 'mock_stop',
    description: 'Stops a mock server that was started before.',
    inputSchema: {
      type: 'object',
      properties: { url: text('the URL that mock_start returned') },
      required: ['url'],
    },
    command: null,
  },
]

/** The mock servers that an agent has started. */
export type Mocks = {
  /** Starts one, and gives its URL. Throws what the command says if it cannot start. */
  readonly start: (spec: string) => Promise<string>
  /** Whether there was one with this URL. */
  readonly stop: (url: string) => boolean
  readonly stopAll: () => void
}

export const createMocks = (): Mocks => {
  const running = new Map<string, OwnCommand>()
  return {
    start: spec =>
      new Promise((resolve, reject) => {
        const command = startSelf(['mock', `--spec=${spec}`, '--port=0', '--host=127.0.0.1'])
        const { child } = command
        let printed = ''
        const read = (text: string): void => {
          printed += text
          const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
          if (url === undefined || running.has(url)) return
          running.set(url, command)
          resolve(url)
        }
        for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read)
        child.once('error', reject)
        child.once('close', () => {
          for (const [url, each] of running) if (each === command) running.delete(url)
          reject(new Error(printed.trim()))
        })
      }),
    stop: url => {
      const command = running.get(url)
      command?.end()
      return running.delete(url)
    },
    stopAll: () => {
      for (const command of running.values()) command.end()
    },
  }
}
