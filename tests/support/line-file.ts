import { readFileSync } from 'node:fs'

// The lines of a file of JSON lines.
export function linesIn<Line>(path: string): Line[] {
  const text = readFileSync(path, 'utf8').trim()
  return text === '' ? [] : text.split('\n').map(line => JSON.parse(line) as Line)
}
