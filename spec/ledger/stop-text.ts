import type { Stop } from './event.ts'

/** Why a run did not reach its end. */
export const stopText: Readonly<Record<Exclude<Stop, 'done'>, string>> = {
  time: 'the time limit was reached',
  bail: 'the run stopped at the first failure (--bail)',
  interrupt: 'the run was interrupted',
  shard: 'shards are missing',
  unreachable: 'the target could not be reached',
  access: 'the server could not be tested',
  fault: 'the suite itself failed',
}
