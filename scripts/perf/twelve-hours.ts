import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure, mediaStage } from './measure.ts'

// Whether memory stays flat over a long video: one of so many hours is made by repeating a minute without coding it again, and the
// resident memory of all processes is sampled while the media stage runs over it. npx tsx scripts/perf/twelve-hours.ts [hours] [frames a second]
const hours = Number(process.argv[2] ?? 12)
const rate = Number(process.argv[3] ?? 5)
const folder = await mkdtemp(join(tmpdir(), 'longtake-perf-'))
try {
  const minute = join(folder, 'minute.mp4')
  const long = join(folder, 'long.mp4')
  const run = (...args: string[]) => execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
  const inputs = ['-f', 'lavfi', '-i', `testsrc2=s=192x108:r=${rate}:d=60,hue=h='80*floor(t/7)'`, '-f', 'lavfi', '-i']
  const coding = ['-c:v', 'libx264', '-g', '150', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  run(...inputs, 'sine=f=300:r=16000:d=60', ...coding, minute)
  const list = join(folder, 'list.txt')
  await writeFile(list, "file 'minute.mp4'\n".repeat(hours * 60))
  run('-f', 'concat', '-i', list, '-c', 'copy', long)
  const samples: number[] = []
  const { wall, megabytes } = await measure(mediaStage(long), now => samples.push(now))
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const max = Array.from({ length: 10 }, (_, i) => Math.max(...samples.slice(i * tenth, (i + 1) * tenth)).toFixed(0))
  console.log(
    `${hours} h in ${wall.toFixed(0)} s; most resident in each tenth of the run: ${max.join(', ')} MB; in all ${megabytes.toFixed(0)} MB`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
