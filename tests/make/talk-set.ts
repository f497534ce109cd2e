import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DraftItem, SourceRecord } from '../../eval/recipes/item.ts'
import { drawFor } from '../../src/core/basics/draws.ts'
import type { CommandLine } from '../support/command-line.ts'

const first = 'Harbour Amber Copper Granite Velvet Thunder Maple Crystal'.split(' ')
const second = 'Bridge Mill House Depot Market Quay Works Walk Tower Garden'.split(' ')
const people = 'Painters,Drivers,Bakers,Pupils,Tailors,Farmers,Singers,Doctors,Sailors'.split(',')
// A talk of eight slides that stand for different times, each with a value of its own and a sentence.
function talk(at: number): SourceRecord {
  const random = drawFor(11, 'talk', at)
  const starts = first.map((_, n) => n * 24 + Math.floor(random() * 6))
  const rows = first.flatMap((word, n): SourceRecord['rows'] => {
    const title = `${word} ${second[(n * 3 + at) % second.length]}`
    const [start = 0, value] = [starts[n], 100 + Math.floor(random() * 900)]
    const end = start + 7 + Math.floor(random() * 11)
    return [
      {
        ...{ id: `t${n}`, track: 'text' as const, text: `${title}\nCost: ${value} dollars`, confidence: 0.95 },
        span: { start, end },
      },
      {
        ...{
          id: `s${n}`,
          track: 'speech' as const,
          text: `${people[(n + at) % people.length]} came by ${(at + 2 * n) % 7} times in week ${value}.`,
        },
        span: { start: start + 1, end: start + 5 },
      },
    ]
  })
  return {
    ...{ video_id: `talk${at}`, video: `talk${at}.mp4`, segments: [], meta: {}, rows },
    statistics: { segments: 0, duration: 200, fps: 2, frames: 400, rows: rows.length },
  }
}

export interface TalkSet {
  recipe: string
  folder: string // of its videos
  options: string[]
  videos: number
}

// A set that rules make of such talks, with the paths of its annotations.
export async function talkSet(line: CommandLine, { recipe, folder, options, videos }: TalkSet) {
  const source = join(line.cwd, `${recipe}-source`)
  const put = (path: string, value: unknown) => writeFileSync(join(source, path), JSON.stringify(value))
  for (const one of ['made/source', 'made/calls', folder]) mkdirSync(join(source, one), { recursive: true })
  const talks = Array.from({ length: videos }, (_, at) => talk(at))
  for (const one of talks) {
    put(`made/source/${one.video_id}.json`, one)
    put(`${folder}/${one.video}`, one.video_id)
  }
  put(
    'videos.json',
    talks.map(({ video }, at) => ({ name: video, bytes: 1, sha256: String(at), duration: 200 })),
  )
  put('made/roles.json', {})
  put('made/request.json', { format: 1, recipe, from: [], seed: 4, options, exclude: [] })
  const made = await line.run('bench', 'make', '--replay', source, '--out', recipe)
  if (![0, 6].includes(made.code)) throw new Error(made.stderr)
  const read = (path: string) => JSON.parse(readFileSync(join(line.cwd, recipe, path), 'utf8'))
  const paths = (read('benchmark.json').annotations as string[]).map(path => join(line.cwd, recipe, path))
  return { root: join(line.cwd, recipe), paths, items: (read('made/kept.json') as { items: DraftItem[] }).items }
}
