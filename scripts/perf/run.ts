import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { quoteWord } from '../../src/cli/completion/words.ts'
import { replaceBlock } from '../doc-block.ts'
import { type CommandCost, measureCommand, median, mediaStage } from './measure.ts'

// Measures the media stage against decoding alone, in alternated pairs, and writes the table of docs/performance.md.
// npx tsx scripts/perf/run.ts [--file FILE] [--pairs 5] [--size 1280x720] [--seconds 90] [--write]
const { values: options } = parseArgs({
  options: {
    file: { type: 'string' },
    pairs: { type: 'string', default: '5' },
    size: { type: 'string', default: '1280x720' },
    seconds: { type: 'string', default: '90' },
    write: { type: 'boolean', default: false },
  },
})

const [load = 0] = loadavg() // before a video is made
const folder = await mkdtemp(join(tmpdir(), 'longtake-perf-'))
const file = options.file ?? makeVideo(join(folder, 'perf.mp4'))
const nothing = makeVideo(join(folder, 'nothing.mp4'), '64x36', '0.2')
const has = (program: string) => spawnSync(program, ['--help'], { stdio: 'ignore' }).status === 0

// What the command takes to start belongs to no video; it is measured and taken off.
const started: CommandCost[] = []
const decodeAlone: CommandCost[] = []
const rows: Record<string, { command: string; ours: boolean; runs: CommandCost[] }> = {
  'decode alone (`ffmpeg -f null`)': {
    command: `ffmpeg -nostdin -v error -i ${quoteWord(file)} -map 0:v -f null -`,
    ours: false,
    runs: decodeAlone,
  },
  'media stage, `balanced`': { command: mediaStage(file), ours: true, runs: [] },
  'media stage, `balanced`, in one piece': { command: mediaStage(file, { segments: 1 }), ours: true, runs: [] },
  'media stage, `thorough`': { command: mediaStage(file, { level: 'thorough' }), ours: true, runs: [] },
  'media stage, `quick`': { command: mediaStage(file, { level: 'quick' }), ours: true, runs: [] },
  'ffmpeg `scdet` (cuts alone)': {
    command: `ffmpeg -nostdin -v error -i ${quoteWord(file)} -map 0:v -vf scdet -f null -`,
    ours: false,
    runs: [],
  },
  ...(has('scenedetect') && {
    'PySceneDetect, content (shots alone)': {
      command: `scenedetect -q -i ${quoteWord(file)} detect-content`,
      ours: false,
      runs: [],
    },
  }),
}

try {
  for (let pair = 0; pair < Number(options.pairs); pair++) {
    const start = await measureCommand(mediaStage(nothing))
    started.push(start)
    for (const row of Object.values(rows)) {
      const run = await measureCommand(row.command)
      row.runs.push(row.ours ? { ...run, cpu: run.cpu - start.cpu, wall: run.wall - start.wall } : run)
    }
  }
  const table = [...lines()]
  console.log(table.join('\n'))
  if (options.write)
    await replaceBlock(
      'performance.md',
      '<!-- measured: media -->',
      '<!-- end of measured -->',
      ['', ...table, ''].join('\n'),
    )
} finally {
  await rm(folder, { recursive: true, force: true })
}

function* lines(): Generator<string> {
  const entries = 'stream=codec_name,width,height,avg_frame_rate'
  const probe = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', entries]
  const seconds = (key: 'cpu' | 'wall') => median(started.map(run => run[key])).toFixed(1)
  const video = execFileSync('ffprobe', [...probe, '-of', 'csv=p=0', file])
    .toString()
    .trim()
    .replaceAll(',', ' ')
  yield `${video}, ${options.file ? 'a file of the user' : `${options.seconds} s generated`}, ${availableParallelism()} cores, ${options.pairs} alternated pairs, load ${load.toFixed(1)} at the start${load > 0.5 ? ' (not idle: wall clock means little)' : ''}.`
  yield ''
  yield '| what | cpu, of decode alone | wall, of decode alone | most memory |'
  yield '| --- | --- | --- | --- |'
  for (const [name, row] of Object.entries(rows)) {
    const ratios = (key: 'cpu' | 'wall') => row.runs.map((run, at) => run[key] / (decodeAlone[at]?.[key] ?? Number.NaN))
    const spread = (values: number[]) =>
      `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`
    const max = Math.max(...row.runs.map(run => run.megabytes))
    yield `| ${name} | ${spread(ratios('cpu'))} | ${spread(ratios('wall'))} | ${max.toFixed(0)} MB |`
  }
  yield ''
  yield `What the command takes over a video of a fifth of a second (${seconds('cpu')} s of cpu, ${seconds('wall')} s of wall clock) is taken off ours.`
}

// Moving detail, noise and a cut every four seconds, in the usual coding of a camera or a screen recorder.
function makeVideo(path: string, size = options.size, seconds = options.seconds): string {
  const picture = `testsrc2=s=${size}:r=30:d=${seconds},hue=h='80*floor(t/4)',noise=alls=5:allf=t`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=f=300:r=44100:d=${seconds}`]
  const coding = ['-c:v', 'libx264', '-preset', 'medium', '-crf', '23', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...inputs, ...coding, path])
  return path
}
