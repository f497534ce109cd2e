// The program and the arguments that start longtake again, as it was started.
export function startedBy(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)]
}
