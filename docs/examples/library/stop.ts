import { InputError, open } from 'longtake'

// A question that takes too long is stopped; its run stays and can be resumed.
const video = await open(process.argv[2] ?? 'talk.mp4')
let run = ''
await video
  .ask('When is the bus line shown?', {
    signal: AbortSignal.timeout(1),
    watch(event) {
      if (event.type === 'run') run = event.run
    },
  })
  .catch(error => console.log('stopped:', error.name))
if (run) console.log((await video.resume(run)).answer.text)
await video.close()

await open('nothing.mp4').catch(error => console.log(error instanceof InputError, error.hint))
