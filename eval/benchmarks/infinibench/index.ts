import { z } from 'zod'
import type { Benchmark } from '../../../src/core/benchmark.ts'
import { rightOption } from '../multiple-choice/record.ts'
import { promptSetting } from '../prompt-file.ts'
import { choiceSkills, infiniBenchRecords, plainRecord } from './record.ts'
import { scoreInfiniBench } from './score.ts'

const settings = z.object({
  frames: z.number().int().positive().default(128).describe('frames over the video'),
  subtitles: z.enum(['whole', 'at frames', 'none']).default('whole').describe('which subtitles go with the question'),
  prompt: promptSetting,
  judgeSystem: z.string().optional().describe('a file with the wording of the judge system text'),
})

const infiniBench: Benchmark = {
  name: 'infinibench',
  summary: 'Films and TV episodes: four grounding skills by choice, four reasoning skills judged from 0 to 10',
  home: 'https://huggingface.co/datasets/Vision-CAIR/InfiniBench',
  licence: 'BSD-3-Clause (code and annotations); the videos derive from TVQA and MovieNet',
  download: [
    'From the data set Vision-CAIR/InfiniBench (Hugging Face): <split>/skills_json/<skill>.json -> the folder that --data names',
    '<split>/<split>_videos.tar.gz.part_* (12 GB validation, 12 GB test, 92 GB train), pieces of one archive',
    '-> TV_shows/videos/... and Movies/videos/..., subtitles beside them',
    'Answers of the test split are withheld: score validation or train here, test on Codabench (competition 10065)',
  ],
  chance: 20,
  groupedBy: ['skill'],
  tasks: [{ name: 'answer', summary: 'the number of an option, or an open answer', answer: 'open', judge: ['open'] }],
  settings,
  async *samples(data, { split, limit }) {
    for (const record of (await infiniBenchRecords(data, split)).slice(0, limit)) {
      const choice = rightOption(record.right === undefined ? undefined : Number(record.right), record.options)
      yield {
        id: record.id,
        video: record.video ?? '',
        question: { text: record.question, ...(record.options && { options: record.options }) },
        ...(record.answer !== undefined && { reference: record.answer }),
        ...(choice !== undefined && { choice }),
        ...(record.subtitles !== undefined && { subtitles: record.subtitles }),
        groups: { skill: record.skill, answer: choiceSkills.includes(record.skill) ? 'choice' : 'open' },
        record: plainRecord(record),
      }
    }
  },
  score: async input => scoreInfiniBench(await infiniBenchRecords(input.data ?? '.'), input),
}

export default infiniBench
