import { z } from 'zod'
import type { Benchmark } from '../../../src/core/benchmark.ts'
import { dataFile } from '../../data/files.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { letterIndex, rightOption } from '../multiple-choice/record.ts'
import { promptSetting } from '../prompt-file.ts'
import { VideoEvalProRecord } from './record.ts'
import { scoreVideoEvalPro, withoutLetter } from './score.ts'

const settings = z.object({
  frames: z.number().int().positive().default(32).describe('frames over the video; all where it has fewer'),
  prompt: promptSetting,
  judgePrompt: z.string().optional().describe('a file with the wording of the judge prompt'),
})

const videoEvalPro: Benchmark = {
  name: 'videoeval-pro',
  summary: 'Short open answers over long videos, judged, with the multiple-choice twin of each question',
  home: 'https://huggingface.co/datasets/TIGER-Lab/VideoEval-Pro',
  licence: 'none stated by its makers',
  download: [
    'From the data set TIGER-Lab/VideoEval-Pro (Hugging Face): data/test-00000-of-00001.parquet (174 KB, 1,289 questions, 465 videos)',
    '-> the folder that --data names',
    'videos/videos_part_*.tar.gz, pieces of one archive: cat videos_part_*.tar.gz | tar -xzf - -> videos_filtered/<video>',
    '(465 videos, 38 min each on average; the total size is not stated, look at the list of files before you fetch)',
  ],
  chance: null,
  groupedBy: ['qa_type'],
  tasks: [
    { name: 'open', summary: 'answer in a few words', answer: 'open', judge: ['open'] },
    { name: 'mcq', summary: 'choose among the options', answer: 'choice', judge: [] },
  ],
  settings,
  async *samples(data, { limit }) {
    const records = await videoEvalProRecords(data)
    for (const [i, record] of records.slice(0, limit).entries())
      yield {
        id: String(i),
        video: `videos_filtered/${record.video}`,
        question: { text: record.question, options: record.options.map(withoutLetter) },
        ...(record.answer_text && { reference: record.answer_text }),
        choice: rightOption(letterIndex(record.answer), record.options),
        groups: { qa_type: record.qa_type, qa_subtype: record.qa_subtype ?? '', source: record.source ?? '' },
        record,
      }
  },
  score: async input => scoreVideoEvalPro(await videoEvalProRecords(input.data ?? '.'), input),
}

export default videoEvalPro

export async function videoEvalProRecords(data: string): Promise<VideoEvalProRecord[]> {
  const names = ['test', 'test-00000-of-00001', 'videoeval_pro', 'videoeval-pro']
  const file = await dataFile(
    data,
    'videoeval-pro',
    names.flatMap(name => ['parquet', 'jsonl', 'json', 'csv', 'tsv'].map(end => `${name}.${end}`)),
  )
  const records = await readRecords(file)
  return records.map((value, i) => parseRecord(VideoEvalProRecord, value, 'videoeval-pro', `${file}, record ${i}`))
}
