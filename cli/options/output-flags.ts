import { Option } from 'commander'
import { anyFormats } from './formats.ts'
import { list, path } from './parse.ts'

export const reportOption = (): Option =>
  new Option('--report <formats>', `reports to write: ${anyFormats.join(', ')}, all`)
    .argParser(list(anyFormats))
    .default(['json', 'junit', 'html'], 'json,junit,html')

export const outOption = (): Option =>
  new Option('--out <folder>', 'where reports are written').argParser(path).default('plantstore-report')

export const loudnessOptions = (): readonly Option[] => [
  new Option('-q, --quiet', 'the verdict and the findings only').conflicts('verbose'),
  new Option('-v, --verbose', 'every obligation with its verdict'),
]
