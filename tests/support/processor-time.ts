// Tells how many milliseconds of the processor this process has used since: unlike elapsed time, that is the same on a busy machine.
export function processorTime(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
}
