import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface MediaFolder {
  path(name: string): string
  ffmpeg(name: string, ...args: (string | string[])[]): string // makes a file and returns its path; arguments may come as words of one string
  remove(): void
}

// A folder for files that ffmpeg makes while the tests run.
export function mediaFolder(): MediaFolder {
  const folder = mkdtempSync(join(tmpdir(), 'longtake-media-'))
  const path = (name: string) => join(folder, name)
  return {
    path,
    ffmpeg(name, ...args) {
      const words = args.flatMap(part => (Array.isArray(part) ? part : part.split(' ')))
      execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...words, `file:${path(name)}`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      return path(name)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

// Inputs for ffmpeg: a moving picture of so many seconds at 25 frames a second, and a tone.
export const picture = (seconds: number, size = '320x180', rate = 25) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=s=${size}:r=${rate}:d=${seconds}`,
]
export const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=f=440:r=16000:d=${seconds}`]
export const h264 = '-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p'
