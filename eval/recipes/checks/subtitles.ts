import { withoutPictures } from './parts/without-pictures.ts'

// K10. Only what is said in the video.
export const subtitles = withoutPictures({
  k: 10,
  name: 'subtitles only',
  given: 'Here is what is said in a video, and a question about it. You get no picture of it.',
  material: ({ rows }) => rows.flatMap(({ track, text }) => (track === 'speech' ? [text] : [])).join('\n') || undefined,
})
