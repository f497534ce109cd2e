import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CommandLine, commandLine } from '../support/command-line.ts'
import { model, says, sent } from './sent-requests.ts'

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
}, 60_000)

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
}, 60_000)
