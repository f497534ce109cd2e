// Loaded into the server by --import: how long its event loop was held, to whoever connects to the socket in LONGTAKE_LOOP_SOCKET.
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const every = 10 // milliseconds

if (isMainThread) {
  let longest = 0
  let last = performance.now()
  let spent = process.cpuUsage()
  setInterval(() => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(spent)
    // What others do on this machine does not count: a hold takes time of the processor.
    longest = Math.max(longest, Math.min(now - last - every, (user + system) / 1000))
    last = now
    spent = process.cpuUsage()
  }, every).unref()
  createServer(socket => {
    socket.on('error', () => {}).end(String(longest))
    longest = 0
  })
    .on('error', () => {}) // a process that the server has started: its socket is taken
    .listen(process.env.LONGTAKE_LOOP_SOCKET)
    .unref()
}
