import { z } from 'zod'
import { dataFile } from '../../data/files.ts'
import { parseRecord } from '../../data/parse-record.ts'
import { readRecords } from '../../data/records.ts'
import { choiceAsk, openAsk } from '../asks.ts'
import type { Benchmark } from '../benchmark.ts'
import { scoreGrades } from '../grades.ts'
import { letterIndex, rightOption } from '../multiple-choice/record.ts'
import { promptSetting } from '../prompt-file.ts'
import { type Sample, statedIn } from '../sample.ts'
import { frames } from './frames.ts'
import { gradeVideoEvalPro, sumVideoEvalPro, withoutLetter } from './grade.ts'
import { judge } from './judge.ts'
import { videoEvalProTest } from './published.ts'
import { VideoEvalProRecord } from './record.ts'

const settings = z.object({
  frames: z.number().int().positive().default(32).describe('frames over the video; all where it has fewer'),
  prompt: promptSetting,
  judgePrompt: z.string().optional().describe('a file with the wording of the judge prompt'),
})

const videoEvalPro: Benchmark<VideoEvalProRecord> = {
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
  records: videoEvalProRecords,
  samples: (record, place) => [sampleOf(record, place)],
  asks: sample => [openAsk(sample, 'open'), choiceAsk(sample, 'mcq')],
  grade: gradeVideoEvalPro,
  score: input => scoreGrades(videoEvalPro, input, sumVideoEvalPro),
  frames,
  judge,
  published: [videoEvalProTest],
}
export default videoEvalPro

async function videoEvalProRecords(data: string): Promise<VideoEvalProRecord[]> {
  const names = ['test', 'test-00000-of-00001', 'videoeval_pro', 'videoeval-pro']
  const file = await dataFile(
    data,
    'videoeval-pro',
    names.flatMap(name => ['parquet', 'jsonl', 'json', 'csv', 'tsv'].map(end => `${name}.${end}`)),
  )
  const records = await readRecords(file)
  return records.map((value, i) => parseRecord(VideoEvalProRecord, value, 'videoeval-pro', `${file}, record ${i}`))
}

// Records have no ids: they are known by their place in the file.
function sampleOf(record: VideoEvalProRecord, place: number): Sample<VideoEvalProRecord> {
  return {
    id: String(place),
    video: `videos_filtered/${record.video}`,
    question: { text: record.question, options: record.options.map(withoutLetter) },
    ...(record.answer_text && { reference: record.answer_text }),
    choice: rightOption(letterIndex(record.answer), record.options),
    groups: { qa_type: record.qa_type, qa_subtype: record.qa_subtype ?? '', source: record.source ?? '' },
    ...statedIn(record),
    record,
  }
}
