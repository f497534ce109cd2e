import type { Progress, StageReader, StageWriter } from '../../src/core/stage.ts'
import type { Span } from '../../src/core/time.ts'
import type { Still, Video } from '../../src/core/video.ts'

// What a stage of the index is given. A stage writes files and returns nothing: whoever comes later reads them.
export interface StageContext {
  video: Video
  out: StageWriter
  progress: Progress // done and total in seconds of media
  signal: AbortSignal
  ready?(file: string, gaps?: readonly Span[]): void // the sound of a stage that still runs is whole, and lies here until the stage is
  kept?(stills: readonly Still[], file: string): void // these stills are kept and can be read from this file; their shots are not final
}

export type { StageReader }
