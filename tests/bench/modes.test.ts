import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import cgBench from '../../eval/benchmarks/cg-bench/index.ts'
import type { CgBenchRecord } from '../../eval/benchmarks/cg-bench/record.ts'
import { allBenchmarks, loadBenchmark } from '../../eval/benchmarks/index.ts'
import type { Sample } from '../../eval/data/sample.ts'
import { withBeside } from '../../eval/protocols/beside.ts'
import { collectSamples } from '../../eval/runner/collect-samples.ts'
import { withPath } from '../../eval/runner/options.ts'
import { openaiContent } from '../../models/chat/openai/request.ts'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { imagesOf, model, optionsOf, says, sent } from './sent-requests.ts'
import { film, smallData } from './small-data.ts'

const blind = ['--option', 'frames=0']

function infiniBench(line: CommandLine): string {
  const folder = join(line.cwd, 'validation')
  mkdirSync(folder)
  const row = (id: string, options: string[], right: number) => ({
    ...{ question_id: id, skill_name: 'scene_transitions', question: `Which is right in ${id}?`, options },
    ...{ answer_idx: right, video_path_mp4: 'TV_shows/videos/house/season_1/episode_2.mp4' },
  })
  const rows = [
    row('after', ['red', "I don't know", 'blue'], 2),
    row('key', ['red', "I don't know"], 1),
    row('before', ['green', 'red', "I don't know"], 0),
    row('plain', ['green', 'red'], 0),
  ]
  writeFileSync(join(folder, 'scene_transitions.json'), JSON.stringify(rows))
  return folder
}

test('without "I don\'t know" places and chance change, replies are official numbers, and a question with that key is left out', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const out = join(line.cwd, 'out')
  const ran = await line.run(
    ...['bench', 'run', 'infinibench', '--data', infiniBench(line), '--out', out, '--json', ...model, ...blind],
    ...[...says('1', '0', '0'), '--option', 'dontKnow=off'],
  )
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr).toContain('1 questions are left out: its key is the option "I don\'t know".')
  const { scores, samples } = JSON.parse(ran.stdout)
  expect(samples).toBe(3)
  for (const way of ['strict', 'official']) {
    expect(scores[way].metrics.accuracy, way).toBe(100)
    expect(scores[way].groups.scene_transitions.n, way).toBe(3)
    expect(scores[way].excluded, way).toContainEqual({
      id: 'scene_transitions:key',
      reason: 'its key is the option "I don\'t know"',
    })
  }
  const texts = sent(out).map(({ texts }) => texts.join())
  expect(texts).toHaveLength(3)
  for (const text of texts) expect(text).not.toMatch(/don't know/)
  expect(texts.find(text => text.includes('in after'))).toContain('0. red\n1. blue')
  const report = await line.run('bench', 'report', out, '--json')
  const [shown] = JSON.parse(report.stdout).reports
  expect(shown.tasks[0].chance).toBe(50)
  expect(shown.scores.official.metrics.accuracy).toBe(100)
  expect(shown.departures).toContain('dontKnow off')
})

function longshot(line: CommandLine): string {
  const turn = (role: string, content: string) => ({
    ...{ role, content },
    ...(role === 'assistant' && { criteria: [{ name: 'c', description: 'd', weight: 1, is_penalty: false }] }),
  })
  const record = (id: string, ...turns: object[]) => ({
    sample_id: id,
    video_id: `v-${id}`,
    task: 'summarization',
    conversations: turns,
  })
  const one = record('one', turn('user', 'Who?'), turn('assistant', 'Ann.'))
  const two = record(
    'two',
    turn('user', 'Where?'),
    turn('assistant', 'Rome.'),
    turn('user', 'When?'),
    turn('assistant', 'Monday.'),
  )
  const path = join(line.cwd, 'postvalid_v2_test.jsonl')
  writeFileSync(path, [one, two].map(it => `${JSON.stringify(it)}\n`).join(''))
  return path
}

test('conversations of one question or of several, with the references, own answers or nothing before a question', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = longshot(line)
  const asked = async (...options: string[]) => {
    const out = join(line.cwd, options.join('-'))
    const ran = await line.run(
      ...['bench', 'run', 'longshot', '--data', data, '--out', out, '--json', '--judge', 'off', '--task', 'answer'],
      ...[...model, ...blind, ...says('My own words.'), ...options.flatMap(option => ['--option', option])],
    )
    expect(ran.code, ran.stderr).toBe(0)
    const texts = sent(out).map(({ texts }) => texts.join('|'))
    return { n: JSON.parse(ran.stdout).scores.strict.n, texts: texts.sort((a, b) => a.length - b.length) }
  }
  const single = await asked('turns=single')
  expect([single.n, single.texts.length]).toEqual([1, 1])
  expect(single.texts[0]).toContain('Who?')
  const ideal = await asked('turns=multi')
  expect([ideal.n, ideal.texts.length]).toEqual([1, 2])
  expect(ideal.texts[1]).toMatch(/Where\?\|Rome\.\|When\?$/)
  expect((await asked('turns=multi', 'trajectory=free')).texts[1]).toMatch(/Where\?\|My own words\.\|When\?$/)
  const none = (await asked('turns=multi', 'trajectory=none')).texts.find(text => text.includes('When?'))
  expect(none).toMatch(/^No picture and no sound[^|]*\|When\?$/)
})

test('metadata in place of the video, or beside it; a video of which nothing is known is left out aloud', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const data = infiniBench(line)
  const rows = JSON.parse(readFileSync(join(data, 'scene_transitions.json'), 'utf8'))
  rows[3].video_path_mp4 = 'Movies/videos/tt0120338.mp4'
  writeFileSync(join(data, 'scene_transitions.json'), JSON.stringify(rows))
  const asked = async (name: string, ...options: string[]) => {
    const out = join(line.cwd, name)
    const ran = await line.run(
      ...['bench', 'run', 'infinibench', '--data', data, '--out', out, '--json', ...model, ...says('0')],
      ...options.flatMap(option => ['--option', option]),
    )
    return { ran, calls: ran.code === 0 ? sent(out) : [], options: ran.code === 0 ? optionsOf(out) : {} }
  }
  const only = await asked('only', 'metadata=only')
  expect(only.ran.code, only.ran.stderr).toBe(0)
  expect(only.ran.stderr).toContain(
    '1 questions are left out: neither title nor another word about its video is known.',
  )
  expect(only.options).toMatchObject({ frames: 0, subtitles: 'off', metadata: 'only' })
  expect(only.calls).toHaveLength(3)
  for (const { texts, pictures } of only.calls) {
    expect(pictures).toBe(0)
    expect(texts.join()).toMatch(/^About the video: title house; season 1; episode 2\.\n\n,No picture and no sound/)
  }
  const titles = join(line.cwd, 'titles.json')
  writeFileSync(titles, JSON.stringify({ tt0120338: { title: 'Titanic', year: 1997 } }))
  const named = await asked('named', 'metadata=only', `titles=${titles}`)
  expect(named.calls).toHaveLength(4)
  expect(named.calls.map(({ texts }) => texts.join()).join()).toContain('title Titanic; year 1997.')
  const typed = await asked('typed', 'metadata=only', 'titles=titles.json', 'picture=low', 'dontKnow=on')
  expect(typed.options).toEqual(named.options)
  const again = ['bench', 'run', 'infinibench', '--resume', join(line.cwd, 'typed')]
  expect((await line.run(...again)).code).toBe(0)
  writeFileSync(titles, JSON.stringify({ tt0120338: { title: 'Another' } }))
  const other = await line.run(...again)
  expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/another run .*about: /)])
  const wrong = await asked('wrong', 'metadata=only', 'frames=8')
  expect(wrong.ran.code).toBe(2)
  expect(wrong.ran.stderr).toContain('--option frames=8 shows what metadata=only leaves out.')
  const report = await line.run('bench', 'report', join(line.cwd, 'only'))
  expect(report.stdout).toContain('metadata only')
})

test('the size of a picture and coded key frames reach the model', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const folder = smallData(line.cwd, { questions: 1 })
  film(join(folder, 'videos_filtered', 'red.mp4'), 'red', 6, '800x1000', ['-g', '20'])
  const asked = async (name: string, ...options: string[]) => {
    const out = join(line.cwd, name)
    const ran = await line.run(
      ...[
        'bench',
        'run',
        'videoeval-pro',
        '--data',
        folder,
        '--out',
        out,
        '--json',
        '--task',
        'mcq',
        ...model,
        ...says('A'),
      ],
      ...options.flatMap(option => ['--option', option]),
    )
    expect(ran.code, ran.stderr).toBe(0)
    return (await imagesOf(out)).map(({ width, height, detail, time }) => ({
      size: `${width}x${height}`,
      detail,
      time,
    }))
  }
  const usual = await asked('usual', 'frames=2')
  expect(usual.map(({ size, detail }) => [size, detail])).toEqual([
    ['410x512', undefined],
    ['410x512', undefined],
  ])
  expect((await asked('high', 'frames=1', 'picture=high'))[0]).toMatchObject({ size: '768x960', detail: 'high' })
  expect((await asked('keys', 'frames=8', 'sampling=keyframes')).map(({ time }) => time)).toEqual([0, 2, 4])
  expect((await asked('fewer', 'frames=2', 'sampling=keyframes')).map(({ time }) => time)).toEqual([0, 4])
})

test('clues in words stand before the question, the wanted detail goes to servers that know it', () => {
  const request = {
    turns: [{ role: 'user' as const, parts: [{ frame: 1 }, { text: 'Who?' }] }],
    temperature: 0,
    maxTokens: 9,
  }
  const sample = {
    id: 'a',
    video: 'v',
    question: { text: 'Who?' },
    clues: [{ start: 61, end: 65 }],
    groups: {},
    record: {},
  }
  const words = { text: 'What the question needs is seen at 1:01 to 1:05.\n\n' }
  expect(withBeside(request, sample, { clues: 'given' }).turns[0]?.parts).toEqual([
    { frame: 1 },
    words,
    { text: 'Who?' },
  ])
  expect(withBeside(request, sample, {})).toBe(request)
  const picture = { type: 'image' as const, jpeg: new Uint8Array([1]) }
  expect(openaiContent([picture, { ...picture, detail: 'high' }])).toEqual([
    { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AQ==' } },
    { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AQ==', detail: 'high' } },
  ])
})

test('what a question is called hangs neither on what is left out nor on a limit', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const folder = join(line.cwd, 'validation')
  mkdirSync(folder)
  const row = (skill: string, answer: number) => ({
    ...{ question_id: 'same', skill_name: skill, question: `Which of ${skill}?`, options: ['red', "I don't know"] },
    ...{ answer_idx: answer, video_path_mp4: 'a.mp4' },
  })
  for (const [skill, answer] of [
    ['character_actions', 0],
    ['scene_transitions', 1],
  ] as const)
    writeFileSync(join(folder, `${skill}.json`), JSON.stringify([row(skill, answer)]))
  const benchmark = await loadBenchmark('infinibench')
  const ids = async (limit?: number, options = {}) =>
    (await collectSamples(benchmark, folder, { limit }, options)).samples.map(({ id }) => id)
  const [first, second] = await ids()
  expect([first, second]).toEqual(['character_actions:same', 'scene_transitions:same'])
  expect(await ids(1)).toEqual([first])
  expect(await ids(undefined, { dontKnow: false })).toEqual([first])
})

test('in a conversation of its own words the answer stands, not the calls that were asked for beside it', async () => {
  const line = commandLine({}, { PATH: process.env.PATH })
  const turn = (n: number) => [
    { role: 'user', content: `Question ${n}?` },
    {
      role: 'assistant',
      content: 'Four.',
      tool_calls: [{ tool: 'count_objects', parameters: {}, expected_response: '4' }],
    },
  ]
  const record = { sample_id: 's', video_id: 'v', task: 'agentic_task', conversations: [...turn(1), ...turn(2)] }
  const path = join(line.cwd, 'postvalid_tools_v1_test.jsonl')
  writeFileSync(path, `${JSON.stringify(record)}\n`)
  const out = join(line.cwd, 'out')
  const ran = await line.run(
    ...[
      'bench',
      'run',
      'longshot',
      '--data',
      path,
      '--out',
      out,
      '--judge',
      'off',
      '--task',
      'tools',
      '--task',
      'answer',
    ],
    ...[...model, ...blind, ...says('CALLS', 'ANSWER'), '--option', 'trajectory=free'],
  )
  expect(ran.code, ran.stderr).toBe(0)
  const later = sent(out)
    .map(({ texts }) => texts.join('|'))
    .filter(text => text.includes('Question 2?'))
  expect(later).toHaveLength(2)
  for (const text of later) expect(text).toMatch(/Question 1\?\|ANSWER\|/)
})

test('a key frame is shown at its own time, whatever the rate makes of it', () => {
  const record = cgBench.samples(
    {
      ...{ qid: 'a', video_uid: 'v', question: 'Who?', answer: 'red', choices: ['red', 'blue'], right_answer: 'A' },
      ...{ clue_intervals: [[1, 2]], domain: '', sub_category: '', duration: 90 },
    },
    0,
  )[0]
  const media = { duration: 90, framesPerSecond: 29.97, lastFrame: 2697, moments: [0, 1.013, 7.508] }
  const options = cgBench.settings.parse({ frames: 8 }) as Record<string, unknown>
  const { turns } = cgBench.frames.request(record as Sample<CgBenchRecord>, 'long_acc', media, options)
  const shown = turns.flatMap(({ parts }) => parts).flatMap(part => ('frame' in part ? [part.frame] : []))
  expect(shown).toEqual([0, 1.013, 7.508])
})

test('every setting that names a file is kept by its whole path', async () => {
  const named: string[] = []
  for (const { name, settings } of await allBenchmarks()) {
    const { properties = {} } = z.toJSONSchema(settings, { io: 'input' })
    for (const [setting, schema] of Object.entries(properties)) {
      if (typeof schema !== 'object' || !/^a (?:JSON )?file /.test(schema.description ?? '')) continue
      named.push(setting)
      expect(withPath(`${setting}=a/b.txt`, '/home'), `${name} ${setting}`).toBe(`${setting}=/home/a/b.txt`)
    }
  }
  expect(new Set(named)).toEqual(new Set(['titles', 'wording', 'judgePrompt', 'judgeSystem', 'prompt']))
  expect(withPath('frames=0', '/home')).toBe('frames=0')
})
