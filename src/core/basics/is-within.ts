import { isAbsolute, relative, sep } from 'node:path'

// Whether a path is a folder or lies below it, by their names.
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`))
}
