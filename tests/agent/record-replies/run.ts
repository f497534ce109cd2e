import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunState } from '../../../graphs/state.ts'
import { runScript } from '../../../scripts/script.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { readCheckpoints } from '../../../src/store/run/checkpoints.ts'
import { serveByHand } from './hand-server.ts'
import { makeRecording } from './recording.ts'

// Makes a recording for tests/agent/recorded of a question that the graph converse has answered, by any served model or by a person.
//   npx tsx tests/agent/record-replies/run.ts serve FOLDER [PORT]     a person answers: FOLDER/001.md is a request, FOLDER/001.json its reply
//   longtake ask VIDEO "..." --graph converse --model http://127.0.0.1:9911/v1
//   npx tsx tests/agent/record-replies/run.ts RUN_FOLDER NAME "counting" [real|rendered]
await runScript(async signal => {
  const [first = '', second = '', about = '', film = 'real'] = process.argv.slice(2)
  if (first === 'serve' && second) return serveByHand(second, Number(about) || 9911, signal)
  if (!first || !second || !about)
    throw new UsageError('A run folder, a name and what it is about are needed.', {
      hint: 'For example: record-replies.ts RUN_FOLDER six-visitors "counting", or record-replies.ts serve FOLDER',
    })
  const last = (await readCheckpoints(first)).at(-1)?.checkpoint.channel_values as RunState | undefined
  if (!last?.result || !last.messages?.some(one => one.by === 'code' && one.about === 'opening'))
    throw new UsageError(`${first} is no run of the graph converse with an answer.`)
  const { video } = JSON.parse(await readFile(join(first, 'environment.json'), 'utf8')) as {
    video: { duration: number }
  }
  const file = join(import.meta.dirname, '../recorded', `${second}.json`)
  await writeFile(file, `${JSON.stringify(makeRecording(last, about, film, video.duration), null, 2)}\n`, {
    flag: 'wx',
  })
  console.log(`${file}: run npx vitest run tests/agent/recorded.test.ts`)
})
