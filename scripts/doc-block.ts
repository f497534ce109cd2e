import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

// What a figure needs beside it: the command, the day, and on what it ran.
export function madeBy(command: string): string {
  const ffmpeg = /^ffmpeg version (\S+)/.exec(execFileSync('ffmpeg', ['-version']).toString())?.[1] ?? 'unknown'
  const day = new Date().toISOString().slice(0, 10)
  return `\`${command}\`, ${day}, Node ${process.versions.node}, ffmpeg ${ffmpeg}, ${availableParallelism()} cores.`
}

// Replaces what stands between two marks in a page of docs/.
export async function replaceBlock(page: string, opening: string, closing: string, content: string): Promise<void> {
  const file = new URL(`../docs/${page}`, import.meta.url)
  const text = await readFile(file, 'utf8')
  const start = text.indexOf(opening)
  const end = text.indexOf(closing, start)
  if (start === -1 || end === -1) throw new Error(`docs/${page} has no block "${opening} … ${closing}".`)
  await writeFile(file, `${text.slice(0, start)}${opening}\n${content}\n${text.slice(end)}`)
}
