#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { exitCodes, faultOf } from './exit.ts'
import { mockCommand } from './mock.ts'
import { obligationsCommand } from './obligations.ts'
import { product } from './product.ts'
import { replayCommand } from './replay.ts'
import { reportCommand } from './report.ts'
import { say } from './terminal.ts'
import { verifyCommand } from './verify.ts'

const leave = (code: number): void => {
  process.exitCode = code
}

const program = new Command('plantstore')
  .description('Contract tests and a mock server for a service described by OpenAPI.')
  .version(product.version)
  .showHelpAfterError('(plantstore --help tells more)')
  .configureHelp({ sortSubcommands: false, helpWidth: 100 })
  .addHelpText(
    'after',
    `
Start here:
  plantstore verify                    see what a run looks like, on the embedded mock
  plantstore mock                      develop against a server that keeps the contract
  plantstore verify URL --token T      judge your own server

Exit codes: 0 conforms · 1 broken · 2 usage or configuration · 3 unusable document ·
            4 unreachable or inconclusive · 5 internal error · 130, 143 signals`,
  )

for (const command of [
  verifyCommand(leave),
  mockCommand(),
  replayCommand(leave),
  reportCommand(leave),
  obligationsCommand(),
])
  program.addCommand(command.copyInheritedSettings(program))

program.exitOverride()
for (const command of program.commands) command.exitOverride()

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) leave(error.exitCode === 0 ? exitCodes.conforms : exitCodes.usage)
  else {
    const { code, message } = faultOf(error)
    say(`plantstore: ${message}`)
    leave(code)
  }
}
