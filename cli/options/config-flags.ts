import { Option } from 'commander'
import { path } from './parse.ts'

export const configOptions = (): readonly Option[] => [
  new Option(
    '--config <file>',
    'settings for what no flag gives (default: plantstore.config.* in this folder)',
  ).argParser(path),
  new Option('--no-config', 'look for no such file'),
]
