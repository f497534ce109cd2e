import { readdir, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

// Subtitle files that belong to a video: "talk.srt", "talk.en.vtt" beside "talk.mp4".
export async function sidecarsOf(path: string, name: string): Promise<string[]> {
  const folder = dirname(path)
  const stem = name.slice(0, name.length - extname(name).length)
  const names = await readdir(folder).catch(() => [])
  const fitting = names.filter(
    one => one.startsWith(`${stem}.`) && /^(\.[\w-]{1,20})?\.(srt|vtt)$/i.test(one.slice(stem.length)),
  )
  const found = await Promise.all(
    fitting.sort().map(async one => ((await isFile(join(folder, one))) ? [join(folder, one)] : [])),
  )
  return found.flat()
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
