// What is made when it is first asked for: expressions over whole blocks of Unicode take milliseconds to build.
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
