let reads: (() => void)[] = []
let writes: (() => void)[] = []
let isDue = false

const end = (): void => {
  const reading = reads
  reads = []
  try {
    for (const read of reading) read()
    const writing = writes
    writes = []
    for (const write of writing) write()
  } finally {
    isDue = false
    if (reads.length + writes.length > 0) endLater()
  }
}

const endLater = (): void => {
  if (isDue) return
  isDue = true
  setImmediate(end)
}

/** Does something at the end of this turn of the event loop, when the parser is done with all that has arrived in it. */
export const afterParsing = (read: () => void): void => {
  reads.push(read)
  endLater()
}

/**
 * Writes to a connection at the end of this turn of the event loop, together with what is written to other connections in it. A
 * client that reads on another core is then woken once for all of it: waking it takes the system as long as a short exchange does.
 */
export const atOnce = (write: () => void): void => {
  writes.push(write)
  endLater()
}
