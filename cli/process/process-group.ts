import type { ChildProcess } from 'node:child_process'

/** How long a process may take to end in order. */
const graceMs = 2000

/** Lets a group end with us, whatever ends us. The function that it returns says that the group has ended by itself. */
export const bindGroup = (child: ChildProcess): (() => void) => {
  const end = (): void => kill(child, 'SIGKILL')
  process.once('exit', end)
  return () => process.off('exit', end)
}

/** Ends a process that was started `detached`, and those that it has started: first politely, then by force. */
export const endGroup = (child: ChildProcess): void => {
  kill(child, 'SIGTERM')
  const timer = setTimeout(() => kill(child, 'SIGKILL'), graceMs)
  child.once('exit', () => {
    clearTimeout(timer)
    kill(child, 'SIGKILL')
  })
}

const kill = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return
  try {
    // The group has the number of its first process. Windows has no such groups.
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended already.
  }
}
