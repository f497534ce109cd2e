import { formatSpan, open } from 'longtake'

// One question, with the moments that support the answer.
const video = await open(process.argv[2] ?? 'talk.mp4')
const { answer, evidence } = await video.ask('How many paintings does the museum have?')
console.log(answer.text)
for (const { cites } of answer.sentences)
  for (const row of evidence.filter(({ id }) => cites.includes(id)))
    console.log(formatSpan(row.span), row.track, row.text)
await video.close()
