import { Option } from 'commander'
import { path } from './parse.ts'

export type SpecFlags = { readonly spec?: string; readonly networkRefs?: boolean }

/** How missing or wrong credentials are answered, or are to be. */
export const unauthenticatedOption = (description: string): Option =>
  new Option('--unauthenticated <policy>', description)
    .choices(['declared', '401', 'either'])
    .default('declared')

export const specOptions = (): readonly Option[] => [
  new Option(
    '--spec <file|url>',
    'OpenAPI 3.0 or 3.1 document, YAML or JSON (default: the plant store’s own)',
  ).argParser(path),
  new Option('--network-refs', 'follow $refs to http(s) addresses'),
]
