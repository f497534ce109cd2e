import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { runSandboxed } from './execute-code.ts'
import { examineWalls } from './walls.ts'

const limits = { seconds: 0.5, megabytes: 32, outputCharacters: 2000 }
const run = (code: string, globals: Record<string, unknown> = {}, seconds = limits.seconds) =>
  runSandboxed({ code, globals }, { ...limits, seconds })
const patience = 15 // seconds for a program that its memory stops, and not the clock, on a busy machine

describe('code in the sandbox', () => {
  test('counts, prints and gives the value of its last expression', async () => {
    const evidence = [
      { id: 's1', start: 1, end: 2, track: 'speech', text: 'hello', by: 'x' },
      { id: 't2', start: 3, end: 4, track: 'text', text: 'EXIT', by: 'x' },
    ]
    const ran = await run(
      'console.log("rows", evidence.length, inputs); evidence.filter(r => r.start > inputs.after).map(r => r.id)',
      {
        evidence,
        inputs: { after: 2 },
      },
    )
    expect(ran).toEqual({ stdout: 'rows 2 {"after":2}', stderr: '', result: '["t2"]' })
    expect(await run('await Promise.resolve(2n ** 70n)')).toMatchObject({ result: '1180591620717411303424n' })
  })

  test('what it throws is told with its place, and what it printed before is kept', async () => {
    const ran = await run('console.log("before")\nnull.name')
    expect(ran.stdout).toBe('before')
    expect(ran.stderr).toMatch(/TypeError.*code\.js:2/s)
    expect((await run('const = 3')).stderr).toMatch(/SyntaxError/)
    expect((await run('Promise.reject(new Error("later"))')).stderr).toMatch(/later/)
  })

  test('each run has an engine of its own: nothing is left for the next', async () => {
    await run('globalThis.kept = 1; Object.prototype.leak = 1; Array.prototype.map = () => "gone"')
    expect((await run('[typeof kept, typeof ({}).leak, [1].map(x => x + 1)]')).result).toBe(
      '["undefined","undefined",[2]]',
    )
  })
})

// Written into one program, as a process costs more than the try: each line that gets out says so.
const escapes = [
  'process.env',
  'process.binding("fs")',
  'require("fs")',
  'globalThis.process.exit(7)',
  'fetch("http://127.0.0.1:PORT/fetch")',
  'new XMLHttpRequest()',
  'new WebSocket("ws://127.0.0.1:PORT")',
  'new Worker("x")',
  'WebAssembly.compile',
  'Deno.readTextFile("/etc/passwd")',
  'std.open("/etc/passwd")',
  'os.exec(["true"])',
  'setTimeout(() => 0)',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0)',
  'constructor.constructor("return process")()',
  'console.log.constructor("return process")()',
  'console.log.constructor.constructor("return this.process.mainModule")().x',
  '(async () => {}).constructor("return process")().then.x.y',
  '[].constructor.constructor("return globalThis.require")()("fs")',
  'new Proxy(console.log, { apply: (f) => f.constructor("return process")() })()',
  'Error.prepareStackTrace((e, frames) => frames[0].getThis().process)',
  'Reflect.construct(Function, ["return process"])()',
  'eval("process")',
  'new Function("return require")()("child_process")',
  'import.meta.url',
  'arguments.callee.caller.arguments[0]',
]

describe('what tries to get out of the sandbox', () => {
  test('finds no process, no modules, no network, no clock to wait on and no other machine', async () => {
    const hits: string[] = []
    const server = createServer((request, response) => {
      hits.push(request.url ?? '')
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const port = String((server.address() as AddressInfo).port)
    const tries = escapes.map(line => line.replace('PORT', port))
    const code = `const out = []
for (const line of ${JSON.stringify(tries)}) { try { const got = eval(line); out.push(line + ' => ' + typeof got) } catch (error) { if (/PORT/.test(String(error))) out.push(line) } }
for (const name of ['node:fs', 'fs', 'child_process', 'file:///etc/passwd', 'http://127.0.0.1:${port}/import', 'data:text/javascript,1', '../guest.js'])
  await import(name).then(() => out.push('imported ' + name), () => 0)
out`
    const ran = await run(code)
    server.close()
    expect(ran.stderr).toBe('')
    expect(JSON.parse(ran.result ?? '')).toEqual([])
    expect(hits).toEqual([])
  })

  test('what it is made of does not reach through: no name of ours, no path, no environment', async () => {
    process.env.LONGTAKE_TEST_SECRET = 'canary-4711'
    const ran = await run(
      'const seen = new Set(); const names = []; const walk = (o, depth) => { if (depth > 3 || o === null || (typeof o !== "object" && typeof o !== "function") || seen.has(o)) return; seen.add(o); for (const key of Reflect.ownKeys(o)) { let v; try { v = o[key] } catch { continue } names.push(String(key)); if (typeof v === "string") names.push(v); walk(v, depth + 1) } }; walk(globalThis, 0); console.log(names.join(" ").includes("canary"), names.some(n => n.includes("/")), new Error().stack)',
    )
    delete process.env.LONGTAKE_TEST_SECRET
    expect(ran.stdout).toMatch(/^false false/)
    expect(ran.stdout).not.toMatch(/file:|node_modules|guest\.[tj]s/)
  })

  test.each<[name: string, code: string, why: RegExp, seconds?: number]>([
    ['an endless loop', 'while (true) {}', /Stopped after 0.5 seconds/],
    [
      'an expression that backtracks for ever',
      '/^(a+)+$/.test("a".repeat(60) + "b")',
      /Stopped|too deeply|interrupted/,
    ],
    [
      'promises that never end',
      'const f = async () => { await 0; return f() }; f()',
      /Stopped|memory|waited for a promise/,
    ],
    [
      'jobs that call themselves',
      'const f = () => Promise.resolve().then(f); f(); while (true) await 0',
      /Stopped|memory/,
    ],
    ['a promise nobody fulfils', 'await new Promise(() => {})', /waited for a promise/],
    ['recursion without end', 'const f = n => f(n + 1) + 1; f(0)', /stack size|too deeply/],
    ['JSON nested too deeply', 'JSON.parse("[".repeat(1e6))', /stack|too deeply|memory|JSON/],
    ['a list that grows', 'const a = []; while (true) a.push("x".repeat(1e5) + a.length)', /out of memory/, patience],
    ['a text that doubles', 'let s = "x"; while (true) s += s', /memory|string|Stopped|invalid/i],
    ['one huge buffer', 'new Uint8Array(3e9)', /memory|length|large|invalid/i],
    ['buffers in a loop', 'const a = []; while (true) a.push(new Uint8Array(1e6).fill(1))', /memory/, patience],
    ['a getter that loops while it is shown', 'const o = { toJSON() { while (true) {} } }; o', /Stopped/],
  ])('%s ends in time and says why', async (_, code, why, seconds) => {
    const began = performance.now()
    const ran = await run(code, {}, seconds)
    expect(ran.stderr).toMatch(why)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  test('more output than anybody reads is cut, and that is said', async () => {
    const ran = await run('for (let i = 0; i < 1e5; i++) console.log("line " + i)')
    expect(ran.stdout.length).toBeLessThanOrEqual(limits.outputCharacters + 10)
    expect(ran.stderr).toMatch(/cut after 2000 characters/)
    expect((await run('"x".repeat(1e6)')).result).toHaveLength(limits.outputCharacters)
  })

  test('the one who waits can stop it at any moment', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 200)
    const began = performance.now()
    await expect(
      runSandboxed({ code: 'while (true) {}', globals: {} }, { ...limits, seconds: 30 }, stop.signal),
    ).rejects.toThrow(/interrupted/)
    expect(performance.now() - began).toBeLessThan(8000)
  })

  test('the walls are named from the inside out, and what is missing with the command that adds it', async () => {
    const { walls, missing } = await examineWalls()
    expect(walls.slice(0, 2)).toEqual(['webassembly', 'process'])
    expect(walls.includes('bubblewrap')).toBe(missing === undefined)
  })
})
