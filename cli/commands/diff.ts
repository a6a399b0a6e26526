import { Argument, Command, Option } from 'commander'
import type { DiffFlags } from '../handlers/diff.ts'

export const diffCommand = (exit: (code: number) => void): Command =>
  new Command('diff')
    .summary('compare two recorded runs')
    .description(
      'Compares two ledgers: new failures, fixed failures, requirements that are no longer tested, changed observations. Runs may differ in contract, seed or budget; such differences are listed first.',
    )
    .addArgument(new Argument('<old>', 'the ledger.ndjson of the older run'))
    .addArgument(new Argument('<new>', 'the ledger.ndjson of the newer run'))
    .addOption(
      new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
    )
    .addOption(new Option('--allow-partial', 'exit with 0 also if the newer run shows less'))
    .addOption(new Option('-v, --verbose', 'list every change (text only)'))
    .addHelpText('after', examples)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { runDiff } = await import('../handlers/diff.ts')
      exit(runDiff(before, after, flags))
    })

const examples = `
Examples:
  plantstore diff main/ledger.ndjson plantstore-report/ledger.ndjson
  plantstore diff old.ndjson new.ndjson --format markdown

Exit codes: 0 no new failure that counts · 1 new failures · 2 usage or configuration ·
            4 the newer run could not judge, or no longer judges a MUST requirement
`
