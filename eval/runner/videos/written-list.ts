import { dirname, join } from 'node:path'
import { quoteWord } from '../../../src/cli/completion/words.ts'
import { isAddress } from '../../../src/core/basics/address.ts'
import { csvText } from '../../../src/core/words/csv-cell.ts'
import { visibleLine } from '../../../src/core/words/visible-text.ts'
import type { WantedVideo } from './list-videos.ts'

export type ListForm = 'txt' | 'csv' | 'json' | 'yt-dlp'

interface ListAbout {
  benchmark: string
  root: string // the folder of the videos
  file: string // what the list is called, for the command
  height: number // of the picture, at most
}

const head = ['id', 'address', 'questions', 'seconds', 'state', 'file']

// A list of videos for other programs, one line each.
export function writtenList(form: ListForm, videos: readonly WantedVideo[], about: ListAbout): string {
  if (form === 'yt-dlp') return forYtDlp(videos, about)
  if (form === 'json') {
    const rows = videos.map(one => ({ ...one, state: readState(one) }))
    return `${JSON.stringify({ schemaVersion: 1, benchmark: about.benchmark, videos: rows }, null, 2)}\n`
  }
  const cells = videos.map(one => [
    ...[one.id, one.address ?? '', String(one.questions), one.stated === undefined ? '' : String(one.stated)],
    ...[readState(one), one.path ?? ''],
  ])
  if (form === 'csv') return csvText([head, ...cells])
  return cells.map(row => `${row.map(visibleLine).join('\t')}\n`).join('')
}

function readState({ path }: WantedVideo): 'here' | 'missing' {
  return path === undefined ? 'missing' : 'here'
}

// The input of yt-dlp --batch-file; what begins with # is a comment to it.
function forYtDlp(videos: readonly WantedVideo[], { root, file, height }: ListAbout): string {
  const fetchable = videos.flatMap(({ address, path, video }) =>
    path === undefined && address !== undefined && isAddress(address) && !/\s/.test(address)
      ? [{ address, video }]
      : [],
  )
  const folder = join(root, dirname(fetchable[0]?.video ?? ''))
  const comments = [
    `${fetchable.length} videos. Whether you may fetch them is for the terms of the sites and your own right to decide;`,
    'longtake fetches none of them by itself. A video of several parts on Bilibili gets _p1 behind its id: rename it.',
    `yt-dlp --batch-file ${quoteWord(file)} --format 'bv*[height<=${height}]+ba/b[height<=${height}]' --merge-output-format mp4 \\`,
    `  --write-subs --write-auto-subs --sub-langs 'en.*' --convert-subs srt --download-archive ${quoteWord(join(folder, 'fetched.txt'))} \\`,
    `  --output ${quoteWord(`${folder.replaceAll('%', '%%')}/%(id)s.%(ext)s`)}`,
  ]
  return [...comments.map(line => `# ${visibleLine(line)}`), ...fetchable.map(one => one.address), ''].join('\n')
}
