import type { Command } from 'commander'
import { print } from '../process/terminal.ts'
import { bashScript } from './completion/bash.ts'
import { completedCommands } from './completion/completed-command.ts'
import { fishScript } from './completion/fish.ts'
import { zshScript } from './completion/zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Prints the script of a shell, made from the commands of the program that `self` belongs to. */
export const printCompletion = (shell: keyof typeof scripts, self: Command): void => {
  if (self.parent === null) throw new Error('the command has no program')
  print(scripts[shell](completedCommands(self.parent)))
}
