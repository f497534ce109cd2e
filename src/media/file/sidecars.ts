import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { isWithin } from '../../core/basics/is-within.ts'
import { absentAs, forbidden } from '../../core/errors.ts'
import type { Video } from '../../core/video.ts'

// Subtitle files that belong to a video: "talk.srt", "talk.en.vtt", "talk.pt-BR.forced.ass" beside "talk.mp4". Names are compared as
// they are read: some systems write an accent as a letter of its own.
export async function findSidecars(path: string, name: string): Promise<string[]> {
  if (path === '') return [] // a video that is known and whose file is not here
  const folder = dirname(path)
  const names = await readdir(folder).catch(absentAs([], ...forbidden))
  const sidecarPaths = await Promise.all(
    sidecarsAmong(names, name).map(async one => ((await isFile(join(folder, one))) ? [join(folder, one)] : [])),
  )
  return sidecarPaths.flat()
}

// Whether a subtitle file beside a video is a link that leads out of their folder, or their folder has become one: what lies there
// may be somebody's own. A file that was named may lie anywhere. The path of a video has no links in it.
export async function isOutsideLink(sidecar: string, { path }: Pick<Video, 'path'>): Promise<boolean> {
  const folder = dirname(path)
  if (dirname(sidecar) !== folder) return false
  const real = await realpath(sidecar).catch(absentAs(sidecar, ...forbidden, 'ELOOP'))
  return !isWithin(folder, real)
}

// Those of the names in a folder that fit the name of the video.
export function sidecarsAmong(names: readonly string[], video: string): string[] {
  const stem = video.slice(0, video.length - extname(video).length).normalize('NFC')
  const fitting = names.filter(one => {
    const whole = one.normalize('NFC')
    return whole.startsWith(`${stem}.`) && ending.test(whole.slice(stem.length))
  })
  return fitting.sort(plainFirst)
}

const ending = /^(\.[\p{L}\p{M}\p{N}_()-]{1,20}){0,2}\.(srt|vtt|ass|ssa|ttml|dfxp|smi|sami|sub)$/iu

// SubRip and WebVTT hold the words and nothing else: the others are for those who have neither.
function plainFirst(a: string, b: string): number {
  const rank = (name: string) => (/\.(srt|vtt)$/i.test(name) ? 0 : 1)
  return rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(absentAs(undefined, 'ELOOP')))?.isFile() ?? false
}
