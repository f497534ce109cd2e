// A process that exits while a thread is inside ONNX Runtime aborts and loses its exit code.
// So the thread flags when it is inside, and at exit the process waits for it, for as long as one run takes.

const stop = 0
const inside = 1
const maxWait = 10_000 // milliseconds
const maxWaitAfterSignal = 300
const signals: Partial<Record<number, NodeJS.Signals>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' }

const guarded = new Set<Int32Array>()

// Parent side: allocates the flags shared with the worker.
export function guardExit(): Int32Array {
  if (guarded.size === 0) process.on('exit', waitForAll)
  const marks = new Int32Array(new SharedArrayBuffer(8))
  guarded.add(marks)
  return marks
}

export function unguardExit(marks: Int32Array): void {
  guarded.delete(marks)
  if (guarded.size === 0) process.off('exit', waitForAll)
}

// Worker side: every call into ONNX Runtime goes through here.
export async function insideGuard<Result>(marks: Int32Array, call: () => Promise<Result>): Promise<Result> {
  Atomics.store(marks, inside, 1)
  try {
    if (Atomics.load(marks, stop) === 1) throw new Error('the process is ending')
    return await call()
  } finally {
    Atomics.store(marks, inside, 0)
    Atomics.notify(marks, inside)
  }
}

// Worker side, in long work: whether to stop because the process is ending.
export function isEnding(marks: Int32Array): boolean {
  return Atomics.load(marks, stop) === 1
}

function waitForAll(code: number): void {
  for (const marks of guarded) Atomics.store(marks, stop, 1)
  const signal = signals[code]
  const until = performance.now() + (signal ? maxWaitAfterSignal : maxWait)
  for (const marks of guarded) Atomics.wait(marks, inside, 1, Math.max(0, until - performance.now()))
  const isInside = [...guarded].some(marks => Atomics.load(marks, inside) === 1)
  if (!signal || !isInside) return
  // Killed by the signal itself the process runs no exit handlers of libraries, and the shell sees the same code.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
