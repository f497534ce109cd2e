import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../src/media/program/run-program.ts'
import { type HexColour, sceneStarts } from '../../src/media/render/scene.ts'
import { readScriptFile } from '../../src/media/render/script-file.ts'
import { colourName } from '../simulated-sight/name-colour.ts'
import { truthAt } from '../simulated-sight/truth.ts'
import { commandLine } from '../support/command-line.ts'

test('bench make needle --people renders the people of the script, and asks about them', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const words = ['--people', '--seed', '7', '--minutes', '2', '--videos', '1', '--out', 'set', '--json']
  const made = await line.run('bench', 'make', 'needle', ...words)
  expect(made.code, made.stderr).toBe(0)
  expect(JSON.parse(made.stdout).videos).toMatchObject([{ name: 'needle-people-7-1.mp4', seconds: 120, questions: 12 }])
  const folder = join(line.cwd, 'set')
  expect((await readdir(folder)).sort()).toEqual([
    ...['cg-bench.jsonl', 'longshot.jsonl', 'needle-people-7-1.mp4'],
    ...['needle-people-7-1.script.json', 'needle.json'],
  ])
  const records: { kind: string }[] = JSON.parse(await readFile(join(folder, 'needle.json'), 'utf8'))
  for (const kind of ['who', 'why', 'compare', 'multi-hop', 'fact-picture', 'fact-spoken'])
    expect(records.map(record => record.kind)).toContain(kind)

  const script = await readScriptFile(join(folder, 'needle-people-7-1.script.json'))
  const starts = sceneStarts(script)
  const seen = script.scenes.flatMap((scene, i) =>
    (scene.figures ?? []).map(figure => ({ figure, frame: starts[i]! + (scene.frames >> 1) })),
  )
  const frames = await framesOf(
    join(folder, 'needle-people-7-1.mp4'),
    seen.map(({ frame }) => frame),
  )
  const upright = seen.filter(({ figure }) => figure.doing === 'stands' || figure.doing === 'waves')
  expect(upright.length).toBeGreaterThan(2)
  for (const { figure, frame } of upright) {
    const { top } = truthAt(script, frame / script.fps).figures.find(({ who }) => who === figure.who)!
    const [{ x, y }] = figure.path
    expect(colourName(frames.get(frame)!(x, y - 0.62 * figure.size)), `${figure.who} at ${frame}`).toBe(top)
  }
})

// The colour at a point of each of some frames.
async function framesOf(video: string, wanted: number[]): Promise<Map<number, (x: number, y: number) => HexColour>> {
  const frames = [...new Set(wanted)].sort((a, b) => a - b)
  const chosen = frames.map(frame => `eq(n,${frame})`).join('+')
  const { stdout } = await runProgram('ffmpeg', [
    ...[
      '-v',
      'error',
      '-i',
      video,
      '-vf',
      `select='${chosen}',scale=320:180:in_color_matrix=bt709`,
      '-fps_mode',
      'passthrough',
    ],
    ...['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
  ])
  const bytes = 320 * 180 * 3
  return new Map(
    frames.map((frame, nth) => [
      frame,
      (x, y) => {
        const at = nth * bytes + (Math.round(y * 180) * 320 + Math.round(x * 320)) * 3
        return `#${stdout.subarray(at, at + 3).toString('hex')}`
      },
    ]),
  )
}
