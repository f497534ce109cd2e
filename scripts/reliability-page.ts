import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

const page = new URL('../docs/reliability.md', import.meta.url)

// What a figure needs beside it: the command, the day, and on what it ran.
export function madeBy(command: string): string {
  const ffmpeg = /^ffmpeg version (\S+)/.exec(execFileSync('ffmpeg', ['-version']).toString())?.[1] ?? 'unknown'
  const day = new Date().toISOString().slice(0, 10)
  return `\`${command}\`, ${day}, Node ${process.versions.node}, ffmpeg ${ffmpeg}, ${availableParallelism()} cores.`
}

// Replaces what stands between "<!-- made: name -->" and "<!-- end -->" in docs/reliability.md.
export async function replaceMade(name: string, content: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  const opening = `<!-- made: ${name} -->`
  const start = text.indexOf(opening)
  const end = text.indexOf('<!-- end -->', start)
  if (start === -1 || end === -1) throw new Error(`docs/reliability.md has no block "${opening} … <!-- end -->".`)
  await writeFile(page, `${text.slice(0, start)}${opening}\n${content}\n${text.slice(end)}`)
}
