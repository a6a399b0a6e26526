import { Option } from 'commander'
import { command, duration } from './parse.ts'

/** Commands of the user around a run. */
export type HookFlags = {
  readonly before?: string
  readonly after?: string
  readonly hookTimeout: number
}

const defaultSeconds = 300

export const hookOptions = (): readonly Option[] => [
  new Option(
    '--before <command>',
    'a shell command to run before the first request, such as one that resets the data',
  ).argParser(command),
  new Option('--after <command>', 'a shell command to run after the run, however it ended').argParser(
    command,
  ),
  new Option('--hook-timeout <duration>', 'longest time for --before, and for --after')
    .argParser(duration)
    .default(defaultSeconds, '5m'),
]
