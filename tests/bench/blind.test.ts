import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allBenchmarks } from '../../eval/benchmarks/index.ts'
import type { Sample } from '../../eval/data/sample.ts'
import { buildAsks } from '../../eval/runner/ask/asks-of-sample.ts'
import { records } from '../fuzz/dictionary.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { oraclePath, withOracle } from '../support/oracle.ts'
import { model, says, sent } from './sent-requests.ts'

const question = (qid: number) => ({
  ...{ qid, video_uid: `v${qid % 2}`, question: `What is thing ${qid}?`, answer: 'red', domain: 'D' },
  ...{ choices: ['red', 'blue', 'green'], right_answer: 'A', clue_intervals: [[1, 2]], duration: 90 },
})

function data(line: CommandLine, count = 4): string {
  const path = join(line.cwd, 'cgbench_mini.json')
  writeFileSync(path, JSON.stringify(Array.from({ length: count }, (_, i) => question(i))))
  return path
}

test('without frames no video is needed: long and clue are one request, and no picture is sent', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const out = join(line.cwd, 'out')
  const ran = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', data(line), '--out', out, ...model],
    ...says('```json\n{"result": "A"}\n```'),
    ...['--option', 'frames=0', '--option', 'subtitles=off', '--task', 'long_acc', '--task', 'clue_acc', '--json'],
  )
  expect(ran.code, ran.stderr).toBe(0)
  expect(JSON.parse(ran.stdout).scores.official.metrics).toMatchObject({ long_acc: 100, clue_acc: 100, crr: 100 })
  const calls = sent(out)
  expect(calls).toHaveLength(4)
  for (const { texts, pictures } of calls) {
    expect(pictures).toBe(0)
    expect(texts.join('\n')).toMatch(/You get no picture and no sound[\s\S]*What is thing \d\?[\s\S]*A:red/)
    expect(texts.join('\n')).not.toMatch(/frames/i)
  }
  const { stdout } = await line.run('bench', 'report', out)
  expect(stdout).toContain('Only models.vision was asked, with no picture and no sound, subtitles off; not the agent')
  expect(stdout).toMatch(/out \*a +- +0 +0 +100\.0/)
  const both = await line.run('bench', 'report', out, '--table', 'cg-bench:mini', '--html', 'page.html')
  expect(both.code, both.stderr).toBe(0)
  expect(readFileSync(join(line.cwd, 'page.html'), 'utf8')).toContain('What is thing 0?')
})

test('grounding and open answers are asked from the text and the length; subtitles alone are shown where they are on', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const path = data(line, 1)
  mkdirSync(join(line.cwd, 'cg_subtitles'))
  const cue = (n: number, from: string, to: string, text: string) =>
    `${n}\n00:00:${from},000 --> 00:00:${to},000\n${text}\n`
  const srt = [cue(1, '10', '12', 'Good evening.'), cue(2, '44', '46', 'It is red.')].join('\n')
  writeFileSync(join(line.cwd, 'cg_subtitles', 'v0.srt'), srt)
  const shown = async (name: string, ...options: string[]) => {
    const out = join(line.cwd, name)
    const ran = await line.run(
      ...['bench', 'run', 'cg-bench', '--data', path, '--out', out, '--judge', 'off', ...model, ...says('x')],
      ...options.flatMap(option => ['--option', option]),
      ...['--option', 'frames=0', '--task', 'miou', '--task', 'open'],
    )
    expect(ran.code, ran.stderr).not.toBe(2)
    return sent(out).map(({ texts }) => texts.join('\n'))
  }
  const blind = await shown('blind')
  for (const text of blind) expect(text).toContain('The video lasts 90.0 seconds.')
  expect(blind.join('\n')).not.toContain('red.')
  for (const text of await shown('whole', 'subtitles=whole')) expect(text).toMatch(/Good evening\.\n.*It is red\./)
  // The middle of the one segment is second 45.
  for (const text of await shown('at', 'subtitles=at frames', 'subtitlesAt=1')) {
    expect(text).toContain('It is red.')
    expect(text).not.toContain('Good evening.')
  }
})

test('whatever subtitles would be at the frames, asking for the clues too adds no request', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const out = join(line.cwd, 'out')
  const ran = await line.run(
    ...[
      'bench',
      'run',
      'cg-bench',
      '--data',
      data(line),
      '--out',
      out,
      ...model,
      ...says('```json\n{"result": "A"}\n```'),
    ],
    ...['--option', 'frames=0', '--task', 'long_acc,clue_acc'],
  )
  expect(ran.code, ran.stderr).toBe(0)
  expect(sent(out)).toHaveLength(4)
})

test('a judge that cannot look judges from the texts alone, in one step, and that is said', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const out = join(line.cwd, 'out')
  const verdicts = ['{"result": 2}', '{"result": 1}'].map(text => `\`\`\`json\n${text}\n\`\`\``)
  const ran = await line.run(
    ...['bench', 'run', 'cg-bench', '--data', data(line, 1), '--out', out, '--json', ...model, ...says('red')],
    ...['--option', 'frames=0', '--task', 'open', '--set', 'models.judge.backend=scripted'],
    ...['--set', `models.judge.replies=${JSON.stringify(verdicts)}`],
  )
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr).toMatch(/\(text\) judges only from the texts: no video is looked at/)
  expect(JSON.parse(ran.stdout).scores.strict.metrics.oe_acc).toBe(100)
  const environment = JSON.parse(readFileSync(join(out, 'environment.json'), 'utf8'))
  expect(environment.judgeMode).toBe('text')
  writeFileSync(join(line.cwd, 'ann.jsonl'), JSON.stringify({ id: 0, rater: 'ann', verdict: true }))
  const exported = await line.run('bench', 'export', out, '--out', 'card', '--form', 'card')
  expect(exported.code, exported.stderr).toBe(0)
  const { command } = JSON.parse(readFileSync(join(line.cwd, 'card', 'card.json'), 'utf8'))
  expect(command).toContain('--judge auto --judge-mode text ')
  // Without the field, the mode stands in the name of the judge.
  for (const { judgeMode } of [environment, {}]) {
    writeFileSync(join(out, 'environment.json'), JSON.stringify({ ...environment, judgeMode }))
    const agreed = await line.run('bench', 'agree', out, '--human', 'ann.jsonl')
    expect(agreed.code, agreed.stderr).toBe(0)
    const { judges } = JSON.parse(readFileSync(join(out, 'agreement.json'), 'utf8'))
    expect(judges).toMatchObject([{ judge: 'chat/scripted (text)', mode: 'text' }])
  }
})

test('who is told where the clues are is not asked for them', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const path = data(line, 1)
  const run = (...words: string[]) =>
    line.run(
      ...['bench', 'run', 'cg-bench', '--data', path, '--json', '--judge', 'off', ...model, ...says('x'), ...words],
      ...['--option', 'frames=0', '--option', 'clues=given', '--out', join(line.cwd, words.join('') || 'out')],
    )
  const all = await run()
  expect(all.stderr).toContain('miou is left out: clues=given shows where the clues are.')
  expect(JSON.parse(all.stdout).scores.strict.metrics).toMatchObject({ miou: null, rec_at_iou: null })
  const named = await run('--task', 'miou')
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('clues=given shows what miou asks for')])
})

test('a length that nobody knows stands for no moment and for no bin', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  mkdirSync(join(line.cwd, 'validation'))
  const row = {
    question_id: 'a',
    skill_name: 'scene_transitions',
    question: 'Which?',
    options: ['red', 'blue'],
    answer_idx: 0,
  }
  const rows = [{ ...row, video_path_mp4: 'a.mp4', video_subtitles: 'a.srt' }]
  writeFileSync(join(line.cwd, 'validation', 'scene_transitions.json'), JSON.stringify(rows))
  const out = join(line.cwd, 'out')
  const run = ['bench', 'run', 'infinibench', '--data', 'validation', '--out', out, ...model, ...says('0')]
  const at = await line.run(
    ...run,
    ...['frames=0', 'subtitles=at frames', 'subtitlesAt=4'].flatMap(one => ['--option', one]),
  )
  expect([at.code, at.stderr]).toEqual([2, expect.stringContaining('do not say how long a.mp4 is')])
  const whole = await line.run(...run, '--option', 'frames=0')
  expect(whole.code, whole.stderr).toBe(0)
  expect(readFileSync(join(out, 'samples.jsonl'), 'utf8')).not.toContain('"duration":0')
})

test('every benchmark can be asked blind: no picture, and a text that does not speak of frames', async () => {
  for (const benchmark of await allBenchmarks()) {
    const record = records[benchmark.name]
    expect(record, benchmark.name).toBeDefined()
    const options = benchmark.settings.parse({ frames: 0, ...(benchmark.name === 'cg-bench' && { subtitles: false }) })
    const sample = sampleFor(benchmark.name)
    const media = { duration: 90, framesPerSecond: 25, lastFrame: 2249 }
    for (const { name: task } of buildAsks(benchmark, sample, new Set(benchmark.tasks.map(one => one.name)), 'alone')) {
      const { turns, system = '' } = benchmark.frames.request(sample, task, media, options as Record<string, unknown>)
      const parts = turns.flatMap(turn => turn.parts)
      expect(
        parts.filter(part => 'frame' in part),
        `${benchmark.name} ${task}`,
      ).toEqual([])
      const text = system + parts.map(part => ('text' in part ? part.text : '')).join('\n')
      expect(text, `${benchmark.name} ${task}`).toMatch(/no picture/i)
      expect(text, `${benchmark.name} ${task}`).not.toMatch(/frames|subtitles/i)
    }
  }
})

const shapes: Record<string, object> = {
  'cg-bench': question(1),
  allvb: { id: '1', video: 'v', task: 'VC', question: 'Which?', options: ['a', 'b'], answer: 'A' },
  infinibench: {
    id: '1',
    skill: 'global_appearance',
    question: 'Which?',
    options: ['a', 'b'],
    right: '1',
    record: new Map(),
  },
  'videoeval-pro': {
    video: 'v',
    question: 'Which?',
    options: ['A. a', 'B. b'],
    answer: 'A',
    answer_text: 'a',
    qa_type: 'x',
  },
  longshot: {
    ...{ sample_id: 's', video_id: 'v' },
    conversations: [
      { role: 'user', content: 'Which?' },
      { role: 'assistant', content: 'This.' },
    ],
  },
}

function sampleFor(name: string): Sample {
  const record = shapes[name] ?? {}
  return {
    ...{ id: name === 'longshot' ? 's__t1' : '1', video: 'v.mp4', question: { text: 'Which?', options: ['a', 'b'] } },
    ...{ reference: 'a', choice: 0, groups: { skill: 'global_appearance' }, record: { record, ...record } },
  }
}

withOracle('../data/cg-bench/cgbench_mini.json')('CG-Bench mini, from its annotations alone', () => {
  test('its 3,000 questions can be asked blind without a video folder', async () => {
    const line = commandLine({}, { PATH: process.env.PATH })
    const path = oraclePath('../data/cg-bench/cgbench_mini.json')
    const ran = await line.run(
      ...['bench', 'run', 'cg-bench', '--data', path, '--split', 'mini', '--dry-run', '--json', ...model, ...says('A')],
      ...['--option', 'frames=0', '--option', 'subtitles=off', '--task', 'long_acc', '--task', 'clue_acc'],
    )
    expect(ran.code, ran.stderr).toBe(0)
    expect(JSON.parse(ran.stdout).forecast).toMatchObject({ questions: 3000, videos: 1118 })
  })
})
