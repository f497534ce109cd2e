import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutPieces } from '../../eval/protocols/native.ts'
import { shiftedSubtitles } from '../../eval/protocols/subtitles.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { imagesOf, model, partsOf, says, sent } from './sent-requests.ts'

// Three shots of two seconds, with a tone.
function film(path: string): void {
  const shots = ['red', 'white', 'blue'].flatMap(colour => [
    '-f',
    'lavfi',
    '-i',
    `color=c=${colour}:s=640x360:r=10:d=2`,
  ])
  const graph = '[0:v][1:v][2:v]concat=n=3:v=1,noise=alls=40:allf=t[v]'
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=6', '-filter_complex', graph]
  const output = [
    '-map',
    '[v]',
    '-map',
    '3:a',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '10',
    '-c:a',
    'aac',
    path,
  ]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...shots, ...sound, ...output])
}

function data(line: CommandLine): { folder: string; path: string } {
  const folder = join(line.cwd, 'data')
  mkdirSync(join(folder, 'cg_videos_720p'), { recursive: true })
  const path = join(folder, 'cg_videos_720p', 'v.mp4')
  film(path)
  const right = { question: 'Which?', choices: ['red', 'blue'], right_answer: 'A', answer: 'red', duration: 6 }
  const row = {
    ...right,
    qid: 1,
    video_uid: 'v',
    clue_intervals: [
      [4, 5],
      [0.5, 1],
    ],
  }
  writeFileSync(join(folder, 'cgbench_mini.json'), JSON.stringify([row]))
  return { folder, path }
}

async function asked(line: CommandLine, folder: string, out: string, ...options: string[]) {
  const ran = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', folder, '--out', join(line.cwd, out), '--json', '--task', 'long_acc'],
    ...[...model, ...says('```json\n{"result": "A"}\n```'), '--option', 'subtitles=off'],
    ...options.flatMap(option => ['--option', option]),
  )
  return { ran, out: join(line.cwd, out) }
}

test('the middle of each shot is shown, and the parts with the clues are cut once', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { folder } = data(line)
  const shots = await asked(line, folder, 'shots', 'sampling=shots', 'frames=8')
  expect(shots.ran.code, shots.ran.stderr).toBe(0)
  const times = (await imagesOf(shots.out)).map(({ time }) => time)
  expect(times).toHaveLength(3)
  for (const [at, middle] of [1, 3, 5].entries()) expect(Math.abs((times[at] ?? 0) - middle)).toBeLessThan(0.3)

  const clip = await asked(line, folder, 'clip', 'clues=only', 'frames=4')
  expect(clip.ran.code, clip.ran.stderr).toBe(0)
  expect(clip.ran.stderr).toContain('The clips of 1 questions are cut from their videos.')
  const seen = await imagesOf(clip.out)
  // Half a second of the first shot, then one of the third.
  expect(seen).toHaveLength(4)
  expect(Math.max(...seen.map(({ time }) => time))).toBeLessThan(1.5)
  const lines = readFileSync(join(clip.out, 'samples.jsonl'), 'utf8')
  expect(JSON.parse(lines)).toMatchObject({ video: 'cg_videos_720p/v.mp4' })
  const report = await line.run('bench', 'report', clip.out)
  expect(report.stdout).toContain('with 4 frames, subtitles off, only the parts with the clues; not the agent')

  const told = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', folder, '--task', 'miou', ...model, '--option', 'clues=only'],
  )
  expect(told.code).toBe(2)
  expect(told.stderr).toContain('--option clues=only shows what miou asks for.')
})

test('a video that is too large is refused with the reason or made smaller, and its record holds no path', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { folder, path } = data(line)
  const whole = await asked(line, folder, 'whole', 'video=whole')
  expect(whole.ran.code, whole.ran.stderr).toBe(0)
  const [part] = partsOf(whole.out, 'video')
  expect(part).toMatchObject({ type: 'video', mime: 'video/mp4', id: expect.stringMatching(/^v[0-9a-f]{20}$/) })
  expect(JSON.stringify(part)).not.toContain(line.cwd)
  expect(sent(whole.out)).toMatchObject([
    { pictures: 0, texts: [expect.stringMatching(/^Here is a video, .*it shows/)] },
  ])
  const again = await line.run(
    ...['bench', 'run', 'cg-bench', '--replay', whole.out, '--out', join(line.cwd, 'replayed'), '--json', ...model],
  )
  expect(again.code, again.stderr).toBe(0)

  const { size } = statSync(path)
  const limit = Math.floor(size / 2)
  const large = await asked(line, folder, 'large', 'video=whole', `mostBytes=${limit}`)
  expect(large.ran.code).toBe(6)
  expect(readFileSync(join(large.out, 'samples.jsonl'), 'utf8')).toContain(
    `v.mp4 has ${size} bytes, and mostBytes is ${limit}.`,
  )
  const fit = await asked(line, folder, 'fit', 'video=fit', `mostBytes=${limit}`)
  expect(fit.ran.code, fit.ran.stderr).toBe(0)
  const report = await line.run('bench', 'report', fit.out, '--json')
  expect(JSON.parse(report.stdout).reports[0].departures).toEqual(
    expect.arrayContaining(['video fit', 'frames 0, not 128']),
  )

  const both = await asked(line, folder, 'both', 'video=whole', 'frames=8')
  expect(both.ran.code).toBe(2)
  expect(both.ran.stderr).toContain('--option frames=8 shows what video=whole leaves out.')
})

test('sound goes in pieces in their order; a model that takes no such part is refused before the first question', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { folder } = data(line)
  const heard = await asked(line, folder, 'heard', 'audio=whole', 'mostAudioSeconds=4', 'frames=1')
  expect(heard.ran.code, heard.ran.stderr).toBe(0)
  expect(partsOf(heard.out).map(({ type }) => type)).toEqual(['image', 'audio', 'audio', 'text'])
  expect(cutPieces({ start: 1, end: 10 }, 4)).toEqual([
    { start: 1, end: 5 },
    { start: 5, end: 9 },
    { start: 9, end: 10 },
  ])
  const deaf = ['--set', 'models.vision.backend=openai', '--set', 'models.vision.url=http://127.0.0.1:9/v1']
  for (const option of ['audio=whole', 'video=whole']) {
    const out = join(line.cwd, `refused-${option}`)
    const ran = await line.run(
      ...[
        'bench',
        'run',
        'cg-bench',
        '--data',
        folder,
        '--out',
        out,
        '--profile',
        'embedded',
        '--by',
        'model',
        ...deaf,
      ],
      ...['--set', 'models.vision.model=m', '--option', option, '--dry-run'],
    )
    expect(ran.code, ran.stderr).toBe(2)
    expect(ran.stderr).toContain(`takes text and image; --option ${option} sends ${option.slice(0, 5)}.`)
    expect(ran.stderr).toContain('models.vision.accepts=["text","image"')
  }
})

test('subtitles of a clip go by its clock', () => {
  const srt = '1\n00:00:00,400 --> 00:00:00,800\nfirst\n\n2\n00:00:04,500 --> 00:00:06,000\n<i>last</i>\n'
  const spans = [
    { start: 0.5, end: 1 },
    { start: 4, end: 5 },
  ]
  expect(shiftedSubtitles(srt, spans)).toBe(
    '1\n00:00:00,000 --> 00:00:00,300\nfirst\n\n2\n00:00:01,000 --> 00:00:01,500\n<i>last</i>\n',
  )
})

test('subtitles beside the videos are shown where they are asked for, and refused where there are none', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const row = {
    question: 'Which?',
    options: ['A. red', 'B. blue'],
    answer: 'A',
    answer_text: 'red',
    qa_type: 'x',
    video: 'v.mp4',
  }
  writeFileSync(join(line.cwd, 'test.jsonl'), JSON.stringify({ ...row, duration: 60 }))
  const run = (...options: string[]) =>
    line.run(
      ...['bench', 'run', 'videoeval-pro', '--data', line.cwd, '--task', 'mcq', '--json', '--option', 'frames=0'],
      ...options,
    )
  const whole = ['--option', 'subtitles=whole']
  const without = await run(...whole, ...model, ...says('A'))
  expect(without.code).toBe(2)
  expect(without.stderr).toContain('No subtitles lie beside the 1 videos that are asked about.')
  writeFileSync(
    join(line.cwd, 'v.en.vtt'),
    'WEBVTT\n\n00:01.000 --> 00:02.000\nIt is red.\n\n00:30.000 --> 00:31.000\nStill.\n',
  )
  const out = join(line.cwd, 'out')
  const shown = await run(...whole, ...model, ...says('A'), '--out', out)
  expect(shown.code, shown.stderr).toBe(0)
  expect(sent(out)[0]?.texts.join('')).toMatch(/^What is said in the video:\nIt is red\.\nStill\.\n\nNo picture/)
  const agent = await line.run('bench', 'run', 'videoeval-pro', '--data', line.cwd, '--profile', 'embedded', ...whole)
  expect(agent.code).toBe(2)
  expect(agent.stderr).toContain('--option subtitles=whole sets what a model without the agent is shown')
})

test('of runs that differ in their frames the best stands for the model, and says how it was chosen', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { folder } = data(line)
  await asked(line, folder, 'one', 'frames=1')
  const wrong = ['--set', 'models.vision.replies=["```json\\n{\\"result\\": \\"B\\"}\\n```"]']
  const second = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', folder, '--out', join(line.cwd, 'two'), '--task', 'long_acc', ...model],
    ...[...wrong, '--option', 'frames=2', '--option', 'subtitles=off'],
  )
  expect(second.code, second.stderr).toBe(0)
  const runs = [join(line.cwd, 'two'), join(line.cwd, 'one')]
  const best = await line.run('bench', 'report', ...runs, '--best-of', 'frames', '--json')
  expect(best.code, best.stderr).toBe(0)
  const { reports } = JSON.parse(best.stdout)
  expect(reports).toHaveLength(1)
  expect(reports[0].run.options.frames).toBe(1)
  expect(reports[0].notes.join()).toContain('the best of frames 2 (0.0), 1 (100.0), chosen on the test itself')
  const table = await line.run('bench', 'report', ...runs, '--best-of', 'frames', '--table', 'cg-bench:mini')
  expect(table.stdout).toContain('chosen on the test itself')
  const alone = await line.run('bench', 'report', ...runs.slice(1), '--best-of', 'frames')
  expect(alone.code).toBe(2)
})

test('a dry run says what the options will send', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const { folder } = data(line)
  writeFileSync(join(folder, 'v.srt'), `1\n00:00:00,000 --> 00:00:06,000\n${'word '.repeat(80)}`)
  const planned = async (...options: string[]) => {
    const ran = await line.run(
      ...['bench', 'run', 'cg-bench', '--data', folder, '--dry-run', '--json', '--task', 'long_acc', ...model],
      ...options.flatMap(option => ['--option', option]),
    )
    expect(ran.code, ran.stderr).toBe(0)
    return JSON.parse(ran.stdout).forecast.shown
  }
  const off = 'subtitles=off'
  const eight = await planned('frames=8', off)
  const none = await planned('frames=0', off)
  // A model of no known family sees patches of 28 pixels.
  const each = Math.ceil(512 / 28) * Math.ceil(288 / 28)
  expect(none).toMatchObject({ requests: 1, pictures: 0, unknown: 0 })
  expect(eight).toMatchObject({ requests: 1, pictures: 8 })
  expect(eight.tokens - none.tokens).toBeGreaterThanOrEqual(8 * each)
  const high = await planned('frames=8', off, 'picture=high')
  expect(high.tokens - eight.tokens).toBe(8 * (Math.ceil(640 / 28) * Math.ceil(360 / 28) - each))
  const said = await planned('frames=8', 'subtitles=whole')
  expect(said.tokens - eight.tokens).toBeGreaterThan(90)
  const heard = await planned('frames=1', off, 'audio=whole')
  expect(heard).toMatchObject({ pictures: 1, soundSeconds: 6 })
  expect(await planned('video=whole', off)).toMatchObject({ pictures: 0, videoSeconds: 6 })
})
