import type { SourceRecord } from './item.ts'
import type { SetFile } from './recipe.ts'

// What is said in each video, as the subtitles that a benchmark has beside its videos.
export function subtitleFiles(
  records: readonly SourceRecord[],
  videoFiles: ReadonlyMap<string, string>,
  folder: string,
): SetFile[] {
  return records
    .filter(({ video_id }) => videoFiles.has(video_id))
    .flatMap(({ video_id, rows }): SetFile[] => {
      const speechRows = rows.filter(({ track }) => track === 'speech')
      if (speechRows.length === 0) return []
      const cues = speechRows.map(
        ({ span, text }, at) => `${at + 1}\n${clock(span.start)} --> ${clock(span.end)}\n${text}\n`,
      )
      return [{ path: `${folder}/${video_id}.srt`, content: cues.join('\n') }]
    })
}

function clock(seconds: number): string {
  return `${new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23).replace('.', ',')}`
}
