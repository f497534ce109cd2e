import type { Video } from '../../src/core/video.ts'

// What is known of a video whose file is of no matter to a test.
export function someVideo(id: string, more: Partial<Video> = {}): Video {
  return {
    ...{ id, path: `/videos/${id}.mp4`, name: `${id}.mp4`, bytes: 1000, container: 'mov', start: 0, duration: 60 },
    ...{ otherSounds: [], subtitles: [], sidecars: [`/videos/${id}.srt`], notes: [] },
    ...more,
  }
}
