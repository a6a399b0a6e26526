import { Command, CommanderError } from 'commander'
import { exitCodes, faultOf } from './exit.ts'
import { mergeCommand } from './merge.ts'
import { mockCommand } from './mock.ts'
import { obligationsCommand } from './obligations.ts'
import { product } from './product.ts'
import { replayCommand } from './replay.ts'
import { reportCommand } from './report.ts'
import { selftestCommand } from './selftest.ts'
import { say } from './terminal.ts'
import { verifyCommand } from './verify.ts'

/** Reads the arguments, does what they say and sets the exit code. Never throws. */
export const main = async (): Promise<void> => {
  const program = createProgram()
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
}

const leave = (code: number): void => {
  process.exitCode = code
}

const createProgram = (): Command => {
  const program = new Command('plantstore')
    .description('Contract tests and a mock server for a service described by OpenAPI.')
    .version(product.version)
    .configureHelp({ sortSubcommands: false, helpWidth: 100 })
    .configureOutput({
      // One line, and the same beginning as every other problem.
      outputError: (text, write) =>
        write(
          text
            .replace(/^error: /, 'plantstore: ')
            .replace('command-argument value', 'value')
            .replace(/\n(?=\(Did you mean)/, ' '),
        ),
    })
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
    mockCommand(leave),
    replayCommand(leave),
    reportCommand(leave),
    mergeCommand(leave),
    obligationsCommand(),
    selftestCommand(leave),
  ])
    program.addCommand(command.copyInheritedSettings(program))

  for (const command of [program, ...program.commands])
    command
      .exitOverride()
      .showHelpAfterError(`(${command === program ? '' : 'plantstore '}${command.name()} --help tells more)`)

  // Whoever reads our output may stop before its end (`| head`): that is no error, and the exit code stays true.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  return program
}
