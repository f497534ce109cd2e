// Carries out the command lines that it is given on standard input as `longtake` would, one after another in one process: a start
// costs most of a second of processor time. A line in is [words, input], a line out is { code, out, err }.
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

const bin = new URL('../../bin/longtake.mjs', import.meta.url).href
const variables = { ...process.env }
const streams = [process.stdout, process.stderr]
const reply = process.stdout.write.bind(process.stdout)
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException']
const exit = process.exit
process.exit = () => {} // called a second after the end of each, for what keeps a process alive

let number = 0
for await (const line of createInterface({ input: process.stdin })) {
  const [words, input] = JSON.parse(line)
  Object.assign(process.env, variables) // a command forgets those of tracing
  process.argv = [process.execPath, bin, ...words]
  Object.defineProperty(process, 'stdin', { value: Readable.from([input]), configurable: true })
  const written = streams.map(stream => {
    const texts = []
    stream.write = (text, ...rest) => {
      texts.push(String(text))
      const [done] = rest.slice(-1)
      if (typeof done === 'function') done()
      return true
    }
    return texts
  })
  await import(`${bin}?${number++}`)
  for (const name of signals) process.removeAllListeners(name)
  for (const stream of streams) stream.removeAllListeners('error')
  const [out, err] = written.map(texts => texts.join(''))
  reply(`${JSON.stringify({ code: process.exitCode, out, err })}\n`)
}
reply('', () => exit(0))
