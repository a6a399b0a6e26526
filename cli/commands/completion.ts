import { Argument, Command } from 'commander'

/** The shells that `plantstore completion` writes for. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

export const completionCommand = (): Command =>
  new Command('completion')
    .summary('print the completion script of a shell')
    .description(
      'Prints a script with which the shell completes commands, flags, their choices, and files. It is made for this version: print it again after an update.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: Shell, _flags: unknown, self: Command) => {
      const { printCompletion } = await import('../handlers/completion.ts')
      printCompletion(shell, self)
    })

const examples = `
Examples:
  source <(plantstore completion bash)       in ~/.bashrc
  source <(plantstore completion zsh)        in ~/.zshrc, after compinit
  plantstore completion fish > ~/.config/fish/completions/plantstore.fish
`
