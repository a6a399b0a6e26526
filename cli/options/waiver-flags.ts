import { Option } from 'commander'
import { integer, pathOr } from './parse.ts'

/** `schema`: of the waivers that a configuration has in the place of a file. */
export const waiverOptions = (schema: Parameters<typeof pathOr>[0]): readonly Option[] => [
  new Option('--waivers <file>', 'failures to accept until a date (YAML or JSON)').argParser(pathOr(schema)),
  new Option(
    '--max-waiver-days <n>',
    'reject waivers that expire more than this many days from now',
  ).argParser(integer(1, 36_500)),
]
