import { open } from 'longtake'

// What happens while a question is being answered, event by event; the report comes at the end.
const video = await open(process.argv[2] ?? 'talk.mp4', { profile: 'embedded' })
const stream = video.stream('When is the bus line shown?')
for await (const event of stream) {
  if (event.type === 'tool-end') console.log('step', event.step.tool, event.step.outcome)
  if (event.type === 'token') process.stdout.write(event.text)
}
const { answer, usage } = await stream.report
console.log(`\n${answer.text} (${usage.calls} model calls)`)
await video.close()
