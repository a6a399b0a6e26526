import { Command, Option } from 'commander'
import { obligationsOf } from '../spec/index.ts'
import { contractOf, type SpecFlags, specOptions } from './spec.ts'
import { print } from './terminal.ts'

type Flags = SpecFlags & { readonly format: 'text' | 'json' | 'markdown' }

export const obligationsCommand = (): Command => {
  const command = new Command('obligations')
    .summary('list what the contract promises')
    .description('Lists every obligation of the contract: id, level, promise and the place it comes from.')
  for (const option of specOptions()) command.addOption(option)
  return command
    .addOption(
      new Option('--format <format>', 'how to list them')
        .choices(['text', 'json', 'markdown'])
        .default('text'),
    )
    .action(async (flags: Flags) => {
      const obligations = obligationsOf(await contractOf(flags))
      const rows = obligations.map(({ id, operation, family, level, promise, clause }) => ({
        id,
        operation,
        family,
        level,
        promise,
        clause,
      }))
      if (flags.format === 'json') print(JSON.stringify(rows, null, 2))
      else if (flags.format === 'markdown') print(markdown(rows))
      else print(rows.map(({ id, level, promise }) => `${level.padEnd(8)}${id}  ${promise}`).join('\n'))
    })
}

type Rows = readonly Pick<
  ReturnType<typeof obligationsOf>[number],
  'id' | 'family' | 'level' | 'promise' | 'clause'
>[]

const markdown = (rows: Rows): string =>
  [
    '| obligation | level | promise | clause |',
    '|---|---|---|---|',
    ...rows.map(
      ({ id, level, promise, clause }) =>
        `| \`${id}\` | ${level} | ${cell(promise)} | ${cell(clause.rule ?? '')} · line ${clause.place.line} |`,
    ),
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
