import { open } from 'longtake'

// Plain JavaScript: moments by words, and everything that is known of a span.
const video = await open(process.argv[2], { settings: { index: { vectors: 'exact' } } })
for (const { evidence } of await video.search({ query: 'museum', k: 3 })) console.log(evidence.span, evidence.text)
console.log(video.evidence({ tracks: ['text'], span: { start: 0, end: 12 } }).map(({ text }) => text))
console.log(video.coverage.speech.state, video.overview.chapters.length)
await video.close()
