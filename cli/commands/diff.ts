import { Argument, Command, Option } from 'commander'
import type { DiffFlags } from '../handlers/run-diff.ts'

export const diffCommand = (leave: (code: number) => void): Command =>
  new Command('diff')
    .summary('tell what changed between two recorded runs')
    .description(
      'Sets two ledgers side by side: what broke, what mended, what is not judged any more, what was observed otherwise. Runs of different contracts, seeds or budgets can be compared; what makes them unlike is told first.',
    )
    .addArgument(new Argument('<old>', 'the ledger.ndjson of the older run'))
    .addArgument(new Argument('<new>', 'that of the newer run'))
    .addOption(
      new Option('--format <format>', 'how to tell it').choices(['text', 'json', 'markdown']).default('text'),
    )
    .addOption(new Option('-v, --verbose', 'name every change, however many (text only)'))
    .addHelpText('after', examples)
    .action(async (old: string, next: string, flags: DiffFlags) => {
      const { runDiff } = await import('../handlers/run-diff.ts')
      leave(runDiff(old, next, flags))
    })

const examples = `
Examples:
  plantstore diff main/ledger.ndjson plantstore-report/ledger.ndjson
  plantstore diff old.ndjson new.ndjson --format markdown

Exit codes: 0 nothing broke that is not accepted · 1 something did · 2 usage or configuration
`
