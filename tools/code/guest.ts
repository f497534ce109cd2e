import type { EvalFlags, JSException, JSValueHandle, QuickJS } from 'quickjs-wasi'

export interface GuestJob {
  engine: string // file URL of the package's entry
  wasm: string // path of its WebAssembly
  code: string
  globals: Record<string, unknown>
  seconds: number
  megabytes: number
  outputCharacters: number
}

export interface GuestReport {
  stdout: string
  stderr: string
  result?: string // of the last expression
}

// What the child process runs: one program in one fresh engine. It is sent to the child as its source text, so it may use
// its arguments and what every Node process has, and nothing else of this or any other file.
export async function guest(job: GuestJob, load: (url: string) => Promise<unknown>): Promise<GuestReport> {
  const { readFileSync } = (await load('node:fs')) as typeof import('node:fs')
  const { QuickJS: Engine, EvalFlags: Flags } = (await load(job.engine)) as {
    QuickJS: typeof QuickJS
    EvalFlags: typeof EvalFlags
  }
  const written = { stdout: '', stderr: '' }
  let result: string | undefined
  let room = job.outputCharacters
  const print = (kind: string, text: string) => {
    if (kind === 'value') {
      result = text.slice(0, job.outputCharacters)
      return
    }
    if (room < 0) return
    const line = text.slice(0, room)
    room -= line.length + 1
    written[kind === 'stdout' ? 'stdout' : 'stderr'] += `${line}\n`
    if (room < 0) written.stderr += `The output was cut after ${job.outputCharacters} characters.\n`
  }
  const expired = `Stopped after ${job.seconds} seconds.`
  const memory = job.megabytes * 1024 * 1024
  // Processor time, from where the program itself begins: a busy machine takes nothing from it.
  let began = Number.POSITIVE_INFINITY
  const isOver = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6 - began > job.seconds
  }
  try {
    const vm = await Engine.create({
      wasm: readFileSync(job.wasm),
      memoryLimit: memory,
      maxStackSize: 256 * 1024,
      timezoneOffset: 0,
      // An error thrown through the engine ends it whole; interrupting would let the next job of the queue run on.
      interruptHandler: () => {
        if (isOver()) throw new Error(expired)
        return false
      },
    })
    const say = vm.newFunction('say', (kind: JSValueHandle, text: JSValueHandle) => {
      if (isOver()) throw new Error(expired)
      print(kind.toString(), text.toString())
      return vm.undefined
    })
    const settle = vm.callFunction(
      vm.evalCode(`(say, text) => {
        const { stringify } = JSON
        const show = value => {
          if (typeof value === 'string') return value
          if (value instanceof Error) return String(value.stack ? value + '\\n' + value.stack : value)
          if (typeof value === 'bigint') return value + 'n'
          try {
            const json = typeof value === 'object' ? stringify(value, (_, one) => typeof one === 'bigint' ? one + 'n' : one) : undefined
            return json === undefined ? String(value) : json
          } catch {
            return Object.prototype.toString.call(value)
          }
        }
        const line = kind => (...values) => say(kind, values.map(show).join(' '))
        globalThis.console = { log: line('stdout'), info: line('stdout'), debug: line('stdout'), table: line('stdout'), warn: line('stderr'), error: line('stderr') }
        for (const [name, value] of Object.entries(JSON.parse(text))) globalThis[name] = value
        return promise => promise.then(done => done.value).then(
          value => say('value', value === undefined ? '' : show(value)),
          error => say('stderr', 'Uncaught ' + show(error)))
      }`),
      vm.undefined,
      say,
      vm.newString(JSON.stringify(job.globals)),
    )
    const { user, system } = process.cpuUsage()
    began = (user + system) / 1e6
    vm.callFunction(settle, vm.undefined, vm.evalCode(job.code, 'code.js', Flags.ASYNC))
    vm.executePendingJobs()
    if (result === undefined && written.stderr === '')
      written.stderr = isOver() ? expired : 'It ended while it still waited for a promise.\n'
  } catch (error) {
    const { name, message, stack } = error as JSException
    const errorMessage = message === expired ? expired : `Uncaught ${name}: ${message}\n${stack ?? ''}`
    const crashed = error instanceof RangeError || name === 'RuntimeError'
    written.stderr += crashed
      ? 'Stopped: the program called itself too deeply or ran out of memory.'
      : errorMessage.slice(0, 4000)
  }
  return { stdout: written.stdout.trimEnd(), stderr: written.stderr.trimEnd(), ...(result ? { result } : {}) }
}
