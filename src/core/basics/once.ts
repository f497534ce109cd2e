// What is made when it is first asked for: expressions over whole blocks of Unicode take milliseconds to build.
export function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}
