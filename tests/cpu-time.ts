/** The CPU time of the current thread in milliseconds: unlike the time of day, it does not depend on what else is running. */
export const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
