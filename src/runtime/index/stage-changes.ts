import type { Evidence } from '../../core/evidence.ts'
import type { Still, Video } from '../../core/video.ts'

// What an ablation changes of an index on its way from one stage to the next. The settings enter the keys, so that only what
// depends on the change is made again: a transcript with planted errors needs no second transcription.
export interface StageChanges {
  speech?: RowsChange
  text?: RowsChange
  stills?: { settings: unknown; keep(still: Still): boolean } // which of the kept frames there are
}

// Rows of a track that are changed, or put in place of what a backend would find.
export interface RowsChange {
  by: string // "fault/asr"
  needs: 'rows' | 'nothing' // the track's own rows, or nothing: then its stages do not run
  settings(video: Video): unknown
  rows(video: Video, before: Evidence[]): Promise<Evidence[]> | Evidence[]
}
