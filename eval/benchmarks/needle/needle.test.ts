import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../../src/core/errors.ts'
import { formatTime } from '../../../src/core/time.ts'
import { checkScript } from '../../../src/media/render/render-video.ts'
import { countFrames, type Script, sceneStarts } from '../../../src/media/render/scene.ts'
import { recordsOf, samplesOf, scoreReplyLines } from '../../../tests/support/benchmark.ts'
import { writeJsonLines } from '../../data/lines.ts'
import type { Scoring } from '../../data/sample.ts'
import { wilson } from '../../metrics/statistics/accuracy.ts'
import { gradeNeedleChoice, gradeOpen } from './grade.ts'
import { meets, says } from './grade-expectation.ts'
import needle from './index.ts'
import { makeNeedle, type NeedleVideo, writeNeedle } from './make-folder.ts'
import { type NeedleRecord, needleKinds, notInVideo } from './record.ts'

const fps = 25
const ofPeople = ['who', 'why', 'compare', 'multi-hop']
const oldKinds = Object.keys(needleKinds).filter(kind => !ofPeople.includes(kind))
const speechSeconds = async (text: string) => 0.4 + text.length * 0.06
const make = (seed: number, minutes = 5, videos = 1) => makeNeedle({ seed, minutes, videos }, speechSeconds)
const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const videos: NeedleVideo[] = (await Promise.all(seeds.map(seed => make(seed)))).flatMap(set => set.videos)
const records = videos.flatMap(video => video.records)
const ofKind = (kind: NeedleRecord['kind']) =>
  videos.flatMap(({ script, records }) =>
    records.filter(record => record.kind === kind).map(record => ({ script, record })),
  )
const option = (record: NeedleRecord, letter = record.right_answer) => record.choices[letter.charCodeAt(0) - 65]

describe('making', () => {
  test('the same seed gives the same videos and questions, another seed gives others', async () => {
    expect(await make(3)).toEqual(await make(3))
    expect(JSON.stringify(await make(3))).not.toBe(JSON.stringify(await make(4)))
  })

  test('a video lasts exactly as long as asked, from 2 minutes to 3 hours, and can be rendered', async () => {
    for (const minutes of [2, 3.5, 4, 9, 180]) {
      const { script } = (await make(11, minutes)).videos[0]!
      checkScript(script)
      expect(countFrames(script)).toBe(minutes * 60 * fps)
    }
  })

  test('too short and too long are refused', async () => {
    await expect(make(1, 1)).rejects.toThrow(UsageError)
    await expect(make(1, 181)).rejects.toThrow(UsageError)
    await expect(makeNeedle({ seed: 1, minutes: 2, videos: 1, questions: 13 }, speechSeconds)).rejects.toThrow(
      '1 to 12',
    )
  })

  test('a video has 24 questions of all 13 kinds', () => {
    for (const { records } of videos) {
      expect(records.length).toBe(24)
      expect(new Set(records.map(record => record.kind))).toEqual(new Set(oldKinds))
      expect(new Set(records.map(record => record.id)).size).toBe(24)
      expect(new Set(records.map(record => record.question + record.turns.length)).size).toBe(24)
    }
  })

  test('a choice has four different options and the one that the video does not say, which is right where nothing is', () => {
    for (const record of records) {
      expect(record.choices.length).toBe(5)
      expect(new Set(record.choices).size).toBe(5)
      expect(record.choices[4]).toBe(notInVideo)
      expect(record.right_answer === 'E').toBe(record.kind === 'absent')
    }
    const letters = records.filter(record => record.kind !== 'absent').map(record => record.right_answer)
    for (const letter of 'ABCD')
      expect(letters.filter(other => other === letter).length).toBeGreaterThan(letters.length / 8)
  })
})

describe('the truth lies in the script', () => {
  test('what is said is said exactly at its clue, and its subject nowhere else', () => {
    for (const kind of ['fact-spoken', 'said-while-shown', 'follow-up'] as const)
      for (const { script, record } of ofKind(kind)) {
        const [start] = record.clue_intervals[0]!
        const cue = script.cues.find(cue => Math.abs(cue.at / fps - start) < 0.001)
        const said = record.answer.slice(4, -1)
        expect(cue?.kind === 'speech' && cue.text).toContain(said)
        expect(spoken(script).filter(text => says(text, said)).length).toBe(1)
      }
  })

  test('what is shown is shown all through its clue', () => {
    for (const kind of ['fact-text', 'fact-picture', 'choice'] as const)
      for (const { script, record } of ofKind(kind)) {
        const [start, end] = record.clue_intervals[0]!
        const shown = sceneAt(script, start)
        expect(sceneAt(script, end - 0.04)).toBe(shown)
        const texts = shown.texts.map(text => text.text).join('\n')
        if (kind === 'fact-picture') expect(record.question).toContain(texts)
        else expect(texts.toLowerCase()).toContain(option(record)!.toLowerCase())
      }
  })

  test('counted sounds and phrases are in the sound track that often', () => {
    for (const { script, record } of ofKind('count')) {
      const count = Number.parseInt(record.answer, 10)
      const phrase = /"(.+)"/.exec(record.question)?.[1]
      const word = { ring: 'bell', barking: 'bark', knocking: 'knock', beep: 'beep' }
      const sound = Object.entries(word).find(([asked]) => record.question.includes(asked))?.[1]
      const heard = phrase
        ? spoken(script).filter(text => says(text, phrase)).length
        : script.cues.filter(cue => cue.kind === 'sound' && cue.sound === sound).length
      expect(heard).toBe(count)
      expect(record.clue_intervals.length).toBe(count)
    }
  })

  test('the slide that is shown while something is said is the one of that time', () => {
    for (const { script, record } of ofKind('shown-while-said'))
      expect(sceneAt(script, record.clue_intervals[0]![0]).texts[0]!.text).toBe(option(record))
  })

  test('sounds asked for in order come in that order, and a moment asked for is one of its kind', () => {
    for (const { script, record } of ofKind('order')) {
      const starts = record.clue_intervals.map(([start]) => start)
      expect(starts).toEqual([...starts].sort((a, b) => a - b))
      for (const start of starts) {
        const cue = script.cues.find(cue => Math.abs(cue.at / fps - start) < 0.001)
        expect(
          script.cues.filter(other => cue?.kind === 'sound' && other.kind === 'sound' && other.sound === cue.sound)
            .length,
        ).toBe(1)
      }
    }
  })

  test('nothing is ever said or shown about what is asked in vain', () => {
    for (const { script, record } of ofKind('absent')) {
      const subject = /the (\w+)/.exec(record.question)![1]
      const words = [...spoken(script), ...script.scenes.flatMap(scene => scene.texts.map(text => text.text))]
      expect(words.filter(text => new RegExp(`\\b${subject}\\b`, 'i').test(text))).toEqual([])
    }
  })

  const dictionary = '/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict'
  test.skipIf(!existsSync(dictionary))(
    `every spoken word is in the recogniser's dictionary${existsSync(dictionary) ? '' : ' (skipped: not installed)'}`,
    () => {
      const known = new Set(
        readFileSync(dictionary, 'utf8')
          .split('\n')
          .map(line => line.split(/[\s(]/)[0]),
      )
      const words = new Set(
        videos.flatMap(({ script }) => spoken(script).flatMap(text => text.toLowerCase().match(/[a-z']+/g) ?? [])),
      )
      expect([...words].filter(word => !known.has(word))).toEqual([])
    },
  )
})

describe('grading', () => {
  test('the reference answer with its time gets everything', () => {
    for (const record of records) {
      const time = record.clue_intervals[0]
      const text = time ? `${record.answer} [${formatTime(time[0])}-${formatTime(time[1])}]` : record.answer
      expect({ record, ...gradeOpen(record, text) }).toMatchObject({ score: 1, rubric: 1 })
    }
  })

  test('wrong options, silence and abstaining for nothing get nothing', () => {
    for (const record of records) {
      const wrong = record.choices.filter(choice => choice !== option(record))
      const scored = wrong.filter(choice => record.kind !== 'summary' && gradeOpen(record, choice).score > 0)
      expect({ record, scored }).toMatchObject({ scored: [] })
      const blank = gradeOpen(record, '').score
      expect(blank).toBe(record.kind === 'absent' ? 1 : 0)
    }
  })

  test('naming every option is no answer, and its penalties are taken off', () => {
    for (const { record } of [...ofKind('fact-spoken'), ...ofKind('shown-while-said')]) {
      if (record.expect.form !== 'words') continue
      const grade = gradeOpen(record, record.choices.slice(0, 4).join(' or '))
      expect(grade.score).toBe(0)
      expect(grade.rubric).toBeLessThanOrEqual(0)
    }
  })

  test('the letter, the option and a sentence around it are read as a choice', () => {
    for (const record of records) {
      expect(gradeNeedleChoice(record, record.right_answer).score).toBe(1)
      expect(gradeNeedleChoice(record, `The answer is ${record.right_answer}.`).score).toBe(1)
      expect(gradeNeedleChoice(record, option(record)!).score).toBe(1)
      expect(gradeNeedleChoice(record, record.right_answer === 'A' ? 'B' : 'A').score).toBe(0)
      expect(gradeNeedleChoice(record, '').score).toBe(0)
    }
  })

  test('accuracy is counted by kind, with an interval, and strict scoring counts what failed to come', async () => {
    const scored = (of: NeedleRecord[], scoring: Scoring, tasks = ['open', 'mcq']) => {
      const lines = of.map((record, i) => {
        const replies = { open: i % 4 === 0 ? null : record.answer, mcq: record.right_answer }
        return {
          id: record.id,
          replies: Object.fromEntries(Object.entries(replies).filter(([task]) => tasks.includes(task))),
        }
      })
      return scoreReplyLines(needle, { records: of, replies: writeJsonLines(lines), scoring })
    }
    const strict = await scored(records, 'strict')
    expect(strict.metrics).toMatchObject({ open: 75, mcq: 100, mcq_low: 100 })
    expect(strict.metrics.open_low).toBeLessThanOrEqual(75)
    expect(strict.groups.count).toMatchObject({ mcq: { n: 16, accuracy: 100 } })
    const few = (await scored(records.slice(0, 24), 'strict')).groups.when as { mcq: object }
    expect(strict.groups.when).toMatchObject({ mcq: { interval: 'videos drawn' } })
    expect(few.mcq).toMatchObject({ n: 2, accuracy: 100, high: 100, interval: 'questions alone' })
    expect(wilson(1, 2).low).toBeCloseTo(0.342, 3)
    expect(strict.excluded.length).toBe(records.length / 4)
    expect((await scored(records, 'official')).metrics.open).toBe(100)
    expect((await scored(records, 'strict', [])).metrics).toMatchObject({ open: null, mcq: null })
  })
})

describe('the files', () => {
  test('what was written is read back as samples and scored from reply lines', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longtake-needle-'))
    try {
      const rendered: string[] = []
      const set = await make(5, 4, 2)
      await writeNeedle(set, {
        render: async (_, name) => void rendered.push(name),
        write: (name, content) => writeFile(join(folder, name), content),
      })
      expect(rendered).toEqual(['needle-5-1.mp4', 'needle-5-2.mp4'])
      const samples = await samplesOf(needle, folder)
      expect(samples.length).toBe(48)
      const followUp = samples.find(sample => sample.groups.kind === 'follow-up')!
      expect(followUp.turns?.length).toBe(1)
      expect(followUp.question.options?.[followUp.choice!]).toBe(option(followUp.record))
      async function* replies() {
        for (const { id, reference } of samples) yield JSON.stringify({ id, replies: { open: reference } })
      }
      const scores = await scoreReplyLines(needle, {
        records: await recordsOf(needle, folder),
        replies: replies(),
        scoring: 'strict',
      })
      expect(scores).toMatchObject({ n: 48, metrics: { open: 100, mcq: null }, excluded: [] })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

function spoken(script: Script): string[] {
  return script.cues.flatMap(cue => (cue.kind === 'speech' ? [cue.text] : []))
}

function sceneAt(script: Script, second: number): Script['scenes'][number] {
  const frame = Math.round(second * fps)
  return script.scenes[sceneStarts(script).findLastIndex(start => start <= frame)]!
}

describe('twins', () => {
  test('one option answers the question and no other does, whatever the seed', async () => {
    for (let seed = 100; seed < 130; seed++) {
      const { records, script } = (await make(seed, [2, 4, 6][seed % 3])).videos[0]!
      const shown = script.scenes.flatMap(scene => scene.texts.map(({ text }) => text)).join('\n')
      for (const record of records) {
        const { expect: expected, question, choices, right_answer: letter, kind } = record
        const fulfils = (text: string) => meets(expected, { text, question }) > 0
        if (expected.form !== 'share' && expected.form !== 'abstain')
          expect(
            choices.filter(choice => choice !== notInVideo && fulfils(choice)),
            record.id,
          ).toEqual([option(record, letter)])
        expect(new Set(choices).size, record.id).toBe(5)
        if (kind === 'choice')
          expect(
            choices.filter(choice => shown.includes(`Flight to ${choice} `)),
            record.id,
          ).toEqual([option(record, letter)])
        if (kind === 'summary')
          for (const choice of choices)
            expect(
              choice.split(', ').every(title => shown.includes(title)),
              record.id,
            ).toBe(choice === option(record, letter))
      }
    }
  })
})
