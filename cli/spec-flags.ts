import { Option } from 'commander'

export type SpecFlags = { readonly spec?: string; readonly networkRefs?: boolean }

export const specOptions = (): readonly Option[] => [
  new Option(
    '--spec <file|url>',
    'OpenAPI 3.0 or 3.1 document, YAML or JSON (default: the plant store’s own)',
  ),
  new Option('--network-refs', 'follow $refs to http(s) addresses'),
]
