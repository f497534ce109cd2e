import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { difference, type Pair } from '../eval/ablate/statistics/difference.ts'
import { makeFolder } from '../eval/benchmarks/needle/make-folder.ts'
import { NeedleRecord } from '../eval/benchmarks/needle/record.ts'
import { bestIoUs, type Interval } from '../eval/metrics/intervals.ts'
import { mean } from '../eval/metrics/statistics/clusters.ts'
import { open } from '../src/index.ts'
import { replaceBlock } from './doc-block.ts'
import { live, runScript } from './script.ts'

// What search finds of the clues of needle questions with captions by simulated sight, and without: recall of the first rows and
// their best overlap. Prints a table: npx tsx scripts/caption-recall.ts [--seed 47] [--videos 2] [--minutes 2] [--write]
const usual = { seed: 47, videos: 2, minutes: 2 }
const rates = [0, 0.1, 0.3]
const leastIoU = 0.3 // of a find: a long row touches every clue

const isFound = (iou: number) => Number(iou >= leastIoU)
const measures: { name: string; k: number; score(iou: number): number }[] = [
  ...[1, 5, 10].map(k => ({ name: `recall@${k}`, k, score: isFound })),
  { name: 'best IoU of 5', k: 5, score: iou => iou },
]

// The rows that a search found for each question, best first.
type Ranked = ReadonlyMap<string, readonly Interval[]>

await runScript(async signal => {
  const wish = { seed: flag('seed'), videos: flag('videos'), minutes: flag('minutes') }
  const folder = await mkdtemp(join(tmpdir(), 'longtake-recall-'))
  try {
    const onProgress = (done: number, total: number) => live(`rendered ${done.toFixed(0)} of ${total.toFixed(0)} s`)
    await makeFolder({ ...wish, people: true, folder, onProgress, signal })
    const records = z.array(NeedleRecord).parse(JSON.parse(await readFile(join(folder, 'needle.json'), 'utf8')))
    const asked = records.filter(record => record.clue_intervals.length > 0)
    const rows = await measure(asked, folder, signal)
    const lines = table(asked, rows, wish)
    console.log(lines.join('\n'))
    if (process.argv.includes('--write'))
      await replaceBlock('agent.md', '<!-- recall -->', '<!-- end of recall -->', lines.join('\n'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

async function measure(
  asked: readonly NeedleRecord[],
  folder: string,
  signal: AbortSignal,
): Promise<[name: string, ranked: Ranked][]> {
  const searched = async (name: string, settings: Record<string, unknown>): Promise<[string, Ranked]> => {
    const ranked = new Map<string, Interval[]>()
    for (const file of new Set(asked.map(({ video }) => video))) {
      live(`${name}: ${file}`)
      const home = join(folder, 'home')
      await using video = await open(join(folder, file), { profile: 'embedded', settings, home, signal })
      for (const { id, question } of asked.filter(one => one.video === file)) {
        const hits = await video.search({ query: question, k: 10 })
        ranked.set(
          id,
          hits.map(({ evidence: { span } }) => [span.start, span.end]),
        )
      }
    }
    return [name, ranked]
  }
  const rows = [await searched('without captions', {})]
  for (const rate of rates) {
    const vision = { backend: 'simulated', truth: folder, misses: rate, confusions: rate, inventions: rate }
    const settings = { models: { vision }, index: { captions: { mode: 'shots' } } }
    rows.push(await searched(`captions, errors ${rate}`, settings))
  }
  return rows
}

// Each figure with its difference to the first row and the interval of that, questions drawn within each video.
function table(asked: readonly NeedleRecord[], rows: [string, Ranked][], { seed, videos, minutes }: typeof usual) {
  const [[, base] = ['', new Map()] as [string, Ranked]] = rows
  const scoreOf = (ranked: Ranked, { id, clue_intervals }: NeedleRecord, { k, score }: (typeof measures)[number]) =>
    mean(bestIoUs(ranked.get(id) ?? [], clue_intervals, k).map(score))
  const cell = (ranked: Ranked, measure: (typeof measures)[number]) => {
    const pairs = asked.map(
      (one): Pair => ({
        ...{ id: one.id, video: one.video },
        ...{ base: scoreOf(base, one, measure), row: scoreOf(ranked, one, measure) },
      }),
    )
    const made = difference(measure.name, pairs, seed)
    if (!made || ranked === base) return made?.row.toFixed(1) ?? '-'
    const { low, high } = made.questionInterval
    return `${made.row.toFixed(1)} (${signed(made.difference)} [${signed(low)}, ${signed(high)}])`
  }
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    `\`npx tsx scripts/caption-recall.ts --seed ${seed} --videos ${videos} --minutes ${minutes}\`: ${asked.length} questions, ${videos} videos of ${minutes} min`,
    '',
    line(['index', ...measures.map(({ name }) => name)]),
    line(['---', ...measures.map(() => '---')]),
    ...rows.map(([name, ranked]) => line([name, ...measures.map(measure => cell(ranked, measure))])),
  ]
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${value.toFixed(1)}`
}

function flag(name: keyof typeof usual): number {
  const at = process.argv.indexOf(`--${name}`)
  return at === -1 ? usual[name] : Number(process.argv[at + 1])
}
