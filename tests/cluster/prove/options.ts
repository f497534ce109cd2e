import { parseArgs } from 'node:util'

export interface ProveOptions {
  workers: number
  kills: number
  databaseKills: number
  seed: number
  videos: number
  seconds: number // of each video
  bench?: string
  questions: number // of the benchmark
  keep: boolean // the folder, where something differed
}

const help = `scripts/cluster/prove.sh [options]
  --workers N         workers, each with a library of its own (3)
  --kills K           kill -9 of a worker, its child or both, at random moments (20)
  --database-kills D  kill -9 of all of PostgreSQL, which is started again 2.5 s later (1)
  --seed S            the videos, and when which process is killed (1)
  --videos V          generated videos (4)
  --seconds T         of each video (60)
  --bench needle      a benchmark over the queue, in place of an index of videos
  --questions Q       of the benchmark (48)
  --keep              keep the folder where something differs`

export function proveOptions(args: readonly string[]): ProveOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      workers: { type: 'string', default: '3' },
      kills: { type: 'string', default: '20' },
      'database-kills': { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      videos: { type: 'string', default: '4' },
      seconds: { type: 'string', default: '60' },
      bench: { type: 'string' },
      questions: { type: 'string', default: '48' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    return undefined
  }
  return {
    workers: whole('--workers', values.workers, 1),
    kills: whole('--kills', values.kills, 0),
    databaseKills: whole('--database-kills', values['database-kills'], 0),
    seed: whole('--seed', values.seed, 0),
    videos: whole('--videos', values.videos, 1),
    seconds: whole('--seconds', values.seconds, 6),
    bench: values.bench,
    questions: whole('--questions', values.questions, 1),
    keep: values.keep,
  }
}

function whole(flag: string, text: string, min: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min) return value
  throw new Error(`${flag} must be a whole number from ${min}, got ${JSON.stringify(text)}.`)
}
