let due: (() => void)[] = []

const writeAll = (): void => {
  const writes = due
  due = []
  for (const write of writes) write()
}

/**
 * Writes to a connection at the end of this turn of the event loop, together with what is written to other connections in it. A
 * client that reads on another core is then woken once for all of it: waking it takes the system as long as a short exchange does.
 */
export const atOnce = (write: () => void): void => {
  if (due.push(write) === 1) setImmediate(writeAll)
}
