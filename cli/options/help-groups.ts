import type { Command, Option } from 'commander'

/** What most people need comes first. Options of no group stand under `Options:` at the end. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Most used:': [
    ...[
      'spec',
      'overlay',
      'token',
      'auth',
      'port',
      'stateful',
      'scenario',
      'mode',
      'seed',
      'max-time',
      'only',
      'skip',
    ],
    ...['strict', 'run', 'fail-on', 'report', 'out'],
  ],
  'Credentials:': [
    ...['other-token', 'other-token-command', 'other-token-file', 'other-user'],
    ...['token-command', 'token-file', 'auth-wfc', 'secret', 'secret-file', 'secret-command'],
    ...['oauth-client-id', 'oauth-token-url', 'oauth-scope', 'oauth-auth-method', 'issued-tokens'],
    'unauthenticated',
  ],
  'What is tested:': [
    ...[
      'cases',
      'never',
      'include',
      'malformed-http',
      'undeclared-failures',
      'max-response-time',
      'bail',
      'shard',
    ],
    ...['arazzo', 'arazzo-input', 'listen', 'public-url', 'callback-wait', 'callbacks-to'],
    ...['fixture', 'fixture-command', 'examples', 'created', 'keep', 'stateless'],
  ],
  'Connection:': [
    ...[
      'concurrency',
      'rate',
      'timeout',
      'wait-for',
      'header',
      'request-hook',
      'proxy',
      'ca',
      'cert',
      'key',
      'insecure',
      'host',
    ],
    ...[
      'tls',
      'tls-cert',
      'tls-key',
      'tls-cert-out',
      'no-cors',
      'keep-host',
      'forwarded-headers',
      'max-body',
    ],
  ],
  'Responses:': [
    ...[
      'scenario-file',
      'scenario-set',
      'arazzo',
      'break',
      'like',
      'replay',
      'live',
      'values',
      'rule',
      'state',
      'per-token',
      'seed-data',
      'callbacks',
    ],
    ...['callback-hosts', 'mock-missing', 'violations-header'],
  ],
  'Gate:': [
    ...['baseline', 'update-baseline', 'waivers', 'max-waiver-days', 'pins', 'allow-partial', 'min-tested'],
  ],
  'Record of the run:': [
    'subject',
    'run-by',
    'nonce',
    'har',
    'bundle',
    'suggest-overlay',
    'summary',
    'log',
    'quiet',
    'verbose',
  ],
  'Document and configuration:': [
    ...[
      'network-refs',
      'ref-folder',
      'strict-document',
      'mount',
      'base-path',
      'watch',
      'config',
      'no-config',
    ],
    ...['before', 'after', 'hook-timeout'],
  ],
}

const order = Object.entries(groups).flatMap(([heading, names]) => names.map(name => ({ heading, name })))

/** A command with more options than a reader takes in at a glance shows them in groups. */
const fewest = 20

/** Sorts the options of a command into the groups of its help. */
export const groupOptions = (command: Command): void => {
  if (command.options.length < fewest) return
  // An option that does something else in this command says which group it is of.
  const place = ({ long, helpGroupHeading }: Option): number => {
    const index = order.findIndex(
      ({ name, heading }) => `--${name}` === long && (helpGroupHeading ?? heading) === heading,
    )
    return index < 0 ? order.length : index
  }
  const options = command.options as Option[]
  options.sort((left, right) => place(left) - place(right))
  for (const option of options) {
    const heading = order[place(option)]?.heading
    if (heading !== undefined) option.helpGroup(heading)
  }
}
