import type { Command } from 'commander'
import { mergeCommand } from './merge.ts'
import { mockCommand } from './mock.ts'
import { obligationsCommand } from './obligations.ts'
import { replayCommand } from './replay.ts'
import { selftestCommand } from './selftest.ts'
import { verifyCommand } from './verify.ts'

/** The verbs that a configuration has a section for. */
export const configurable = (leave: (code: number) => void): readonly Command[] => [
  verifyCommand(leave),
  mockCommand(leave),
  replayCommand(leave),
  mergeCommand(leave),
  obligationsCommand(),
  selftestCommand(leave),
]
