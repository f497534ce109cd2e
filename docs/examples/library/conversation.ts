import { open } from 'longtake'

// A conversation: what a question says of earlier answers is understood. With a name it is kept; without, it is not.
await using video = await open(process.argv[2] ?? 'talk.mp4')
const talk = video.session('tour')
await talk.ask('How many paintings does the museum have?')
const { answer, question } = await talk.ask('What is said right after that?')
console.log(question.refers?.asked, '->', question.text)
console.log(answer.text)

const other = await talk.fork('tour-again', 1)
console.log((await other.ask('What was on screen then?')).answer.text)
console.log((await talk.turns()).length, 'turns and', (await other.turns()).length)
